import { writeFileSync } from 'node:fs';

export type Outcome = { name: string } & (
  | { kind: 'refused'; why: string }
  | { kind: 'failed'; why: string }
  | { kind: 'sealed'; manner: string; problems: string[] }
);

const manners: Record<string, string> = {
  pages: 'sealed: values on its pages, certificate behind them, the file a prefix of the sealed one',
  rewritten: 'sealed: the same, on a rewritten copy (encrypted for its owner, or damaged)',
  signed: 'sealed: its own signatures stay, the certificate is inside the seal',
  enclosed: 'sealed: embedded unchanged, because nothing can be added to it',
};

/** Writes a table of the outcome of each file. */
export function writeOutcomes(report: string, outcomes: readonly Outcome[]): void {
  const rows = [
    ...Object.entries(manners).map(([manner, meaning]) => [meaning, of(outcomes, (o) => isSealed(o, manner))] as const),
    ...reasons(outcomes).map(
      (why) => [`refused when it is attached: \`${why}\``, of(outcomes, (o) => isRefused(o, why))] as const,
    ),
    ['failed', of(outcomes, ({ kind }) => kind === 'failed')] as const,
  ].filter(([, found]) => found.length > 0);
  const sealed = outcomes.flatMap((outcome) => (outcome.kind === 'sealed' ? [outcome] : []));
  const wrong = outcomes.flatMap((outcome) => {
    const why = outcome.kind === 'sealed' ? outcome.problems.join('; ') : outcome.kind === 'failed' ? outcome.why : '';
    return why === ''
      ? []
      : [`| \`${outcome.name}\` | ${outcome.kind === 'sealed' ? outcome.manner : 'failed'} | ${why} |`];
  });
  const text = `# What becomes of PDFs of every kind

Written by \`npm run corpus -- DIRECTORY\`, over the ${outcomes.length} test files of pdf.js (\`test/pdfs\` of mozilla/pdf.js), which are
not part of this repository. Each is attached, its first page shown, and sealed and verified twice: with a signature and a text
placed on that page, and with nothing placed.

| outcome | files |
|---|---|
${rows.map(([meaning, found]) => `| ${meaning} | ${found.length} |`).join('\n')}

No remark was made on ${sealed.filter(({ problems }) => problems.length === 0).length} of the ${sealed.length} sealed files: \`countersign verify\` and pdfsig call the seal valid, qpdf finds no
error that the file did not have before, what was filled in is seen, and nothing else of its page looks different (poppler,
72 dpi).

## Remarks

"Not seen" is what an annotation of the file itself covers, what stands on a ground as dark as the ink, or what is drawn behind
content that breaks off in the middle of a text. "Look different" is a form that asks viewers to draw its fields again: the seal
keeps what signers saw, and poppler drew something else.

${wrong.length === 0 ? 'None.' : `| file | how | what |\n|---|---|---|\n${wrong.join('\n')}`}
`;
  writeFileSync(report, text);
  console.log(text);
}

function of(outcomes: readonly Outcome[], is: (outcome: Outcome) => boolean): Outcome[] {
  return outcomes.filter(is);
}

function isSealed(outcome: Outcome, manner: string): boolean {
  return outcome.kind === 'sealed' && outcome.manner === manner;
}

function isRefused(outcome: Outcome, why: string): boolean {
  return outcome.kind === 'refused' && outcome.why === why;
}

function reasons(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.why] : [])))].sort();
}
