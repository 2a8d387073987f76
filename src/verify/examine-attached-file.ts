import { createHash } from 'node:crypto';
import type { OpenedPdf } from '../pdf/reading/open-pdf.ts';
import type { FileFacts, FileManner } from '../sealing/file-facts.ts';
import { type Finding, finding } from './findings.ts';
import { asObject, asText } from './json-values.ts';

/** Names of embedded files. Sealing writes them in `sealing/attached/seal-file.ts`. */
const factsFile = 'file.json';
const enclosedFile = 'attached.pdf';
const manners: readonly FileManner[] = ['pages', 'rewritten', 'signed', 'enclosed'];

/**
 * Checks that the sealed PDF has the attached file that the content names, as its first bytes or embedded. Throws when
 * the embedded facts about the file cannot be read.
 */
export function examineAttachedFile(
  sealed: Buffer,
  content: Buffer,
  attachment: OpenedPdf['attachment'],
): { findings: Finding[]; file: FileFacts | null } {
  const { file: sent } = asObject(JSON.parse(content.toString()));
  const embedded = attachment(factsFile);
  if (sent === undefined || sent === null) return { findings: [], file: null };
  const { name, sha256 } = asObject(sent);
  const detail = { file: asText(name) };
  if (embedded === null) return { findings: [finding('file_not_as_attached', detail)], file: null };
  const file = readFacts(asObject(JSON.parse(embedded.toString())));
  const isSent = file.before.sha256 === sha256;
  const isInside = isSent && contains(sealed, file, attachment);
  const isRewritten = file.manner === 'rewritten';
  const findings = [
    ...(isRewritten ? [finding('file_rewritten', detail)] : []),
    ...(isInside && !isRewritten ? [finding('file_as_attached', detail)] : []),
    ...(isInside ? [] : [finding('file_not_as_attached', detail)]),
  ];
  return { findings, file };
}

/** Whether the file is in the sealed PDF. Of a rewritten file, only the new bytes can be found. */
function contains(sealed: Buffer, { manner, before, after }: FileFacts, attachment: OpenedPdf['attachment']) {
  const isPrefix = ({ bytes, sha256 }: FileFacts['before']) =>
    bytes <= sealed.length && sha256Of(sealed.subarray(0, bytes)) === sha256;
  switch (manner) {
    case 'pages':
      return isPrefix(before) && after !== null && isPrefix(after);
    case 'rewritten':
      return after !== null && isPrefix(after);
    case 'signed':
      return isPrefix(before);
    case 'enclosed': {
      const enclosed = attachment(enclosedFile);
      return enclosed !== null && sha256Of(enclosed) === before.sha256;
    }
  }
}

function readFacts({ name, manner, before, after }: Record<string, unknown>): FileFacts {
  const known = manners.find((one) => one === manner);
  if (known === undefined) throw new Error('not a manner');
  return {
    name: asText(name),
    manner: known,
    before: readDigest(before),
    after: after === null ? null : readDigest(after),
  };
}

function readDigest(value: unknown): FileFacts['before'] {
  const { sha256, bytes } = asObject(value);
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) throw new Error('not a number of bytes');
  return { sha256: asText(sha256), bytes: Number(bytes) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
