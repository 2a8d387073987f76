import { html } from '../../http/html.ts';
import { type FindingDetail, findingMeanings, verdicts } from '../../verify/findings.ts';
import { textsEn } from '../../verify/texts-en.ts';
import { codeSample } from '../code-sample.ts';
import { bullets, paragraphs } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';

const commands = (origin: string) => `curl -H "Accept: application/json" -F file=@agreement.pdf ${origin}/verify
countersign verify agreement.pdf
countersign verify agreement.pdf --json --certificate service.pem`;

/** Placeholder values for the sentences below. */
const example: Required<FindingDetail> = {
  bytes: 52_198,
  entry: 4,
  entries: 11,
  hash: 'c16cb8fc…',
  subject: 'CN=Countersign',
  fingerprint: '6163b596…',
  at: '2026-11-22T12:00:00.000Z',
  authority: 'CN=Example TSA',
  recipient: 'Ada Lovelace',
  file: 'agreement.pdf',
  fields: 3,
  signatures: 1,
  acts: 2,
};

export function verification(origin: string): Section {
  return {
    id: 'verification',
    title: 'Verifying a document',
    entries: [
      { id: 'verification-verdicts', title: 'Verdicts' },
      { id: 'verification-findings', title: 'Findings' },
    ],
    body: html`
${paragraphs(
  `Anyone who holds a completed PDF can learn whether this service sealed it and whether it was altered: on [the page](/verify), with a request, or with the command line on any machine, without a database. No key is needed. The file is deleted once it was examined, and nothing of it is kept.`,
)}
${codeSample('Verify', commands(origin))}
<h3 id="verification-verdicts">Verdicts</h3>
${table(
  'Verdicts',
  ['Verdict', 'Meaning'],
  verdicts.map((verdict) => [
    html`<code>${verdict}</code>`,
    `${textsEn.verdicts[verdict]}. ${textsEn.meanings[verdict]}`,
  ]),
)}
${bullets(
  'The answer has `verdict`, `findings` (each with `id`, `ok` and `text`), `seal`, `document` and `parties`. `document` and `parties` are proven only if the verdict is `valid`. `mode` of the document is `test` if it was sent in test mode: then the verdict can be `valid`, but the signatures are not real. It is null in files of which the audit trail does not say it. `attestation` of a party has the time (`at`) and the time-stamp (`time_stamp`) of the service’s signature over their act, or is null.',
  'The command exits with 0 for `valid` and with 1 for anything else. It compares the seal with the certificates in `DATA_DIR/certificates`, or with `--certificate`.',
  'The request answers 200 with a report, 413 for a file above 160 MB, 400 without a file, and 503 with `Retry-After` while too many files are being examined. An upload may take up to an hour, with at least 64 KiB every 30 seconds.',
  'A file that another service signed is `not_sealed_here`, also if data was added after its signature, as PDF allows. It is `altered` only if the signed bytes were changed or cut off. Ask the service that signed it about the rest.',
  'The seal certificate is compared itself; its issuer is not checked. Decide yourself whether you trust the time-stamp authority.',
)}
<h3 id="verification-findings">Findings</h3>
${table(
  'Findings',
  ['Id', 'Leads to', 'What it says'],
  Object.entries(findingMeanings).map(([id, meaning]) => [
    html`<code>${id}</code>`,
    meaning === 'good' || meaning === 'remark' ? '' : html`<code>${meaning}</code>`,
    textsEn.findings[id as keyof typeof findingMeanings](example),
  ]),
)}
${paragraphs('The ids never change. New ones may be added.')}
`,
  };
}
