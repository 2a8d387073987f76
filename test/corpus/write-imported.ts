import { writeFileSync } from 'node:fs';

export interface Imported {
  name: string;
  outcome: string;
  /** Pages of the unlocked document. */
  pages: number | null;
  ms: number;
}

const slowMs = 5000;

/** Writes a table of the outcomes, and lists the files that were not unlocked or took long. */
export function writeImported(report: string, imported: readonly Imported[], isAlive: boolean): void {
  const files = [...imported].sort((a, b) => (a.name < b.name ? -1 : 1));
  const outcomes = [...new Set(files.map(({ outcome }) => outcome))].sort();
  const of = (outcome: string) => files.filter((file) => file.outcome === outcome);
  const times = files.map(({ ms }) => ms).sort((a, b) => a - b);
  const pages = files.reduce((sum, file) => sum + (file.pages ?? 0), 0);
  const lost = outcomes.filter((outcome) => of(outcome).every((file) => file.pages === null));
  const text = `# What becomes of PDFs of every kind when they are imported and unlocked

Written by \`npm run corpus:imports -- DIRECTORY\`, over the ${files.length} test files of pdf.js (\`test/pdfs\` of mozilla/pdf.js), which
are not part of this repository. Each is imported from a file store by a request of its own, with \`unlock_doc\`, two at a time.

| outcome | files |
|---|---|
${outcomes.map((outcome) => `| ${outcome} | ${of(outcome).length} |`).join('\n')}

${pages} pages were unlocked. A file took ${times[Math.floor(times.length / 2)]} ms in the middle and ${((times.at(-1) ?? 0) / 1000).toFixed(1)} s at most, from the request until its outcome was
known. ${isAlive ? 'The service was the same process from the first to the last.' : '**The service did not live to the end.**'}

## Those that took more than ${slowMs / 1000} s

Pages without text go through OCR, which takes some seconds for each.

| file | pages | s |
|---|---|---|
${files
  .filter(({ ms }) => ms >= slowMs)
  .map(({ name, pages, ms }) => `| \`${name}\` | ${pages ?? '–'} | ${(ms / 1000).toFixed(1)} |`)
  .join('\n')}

## Those that were not unlocked

${lost
  .map(
    (outcome) =>
      `### ${outcome}\n\n${of(outcome)
        .map(({ name }) => `\`${name}\``)
        .join(', ')}`,
  )
  .join('\n\n')}
`;
  writeFileSync(report, text);
  console.log(text);
}
