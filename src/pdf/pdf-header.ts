/** The number of leading bytes in which PDF readers look for the header (ISO 32000-1, annex H, note 13). */
export const headBytes = 1024;

const header = '%PDF-';
const whiteSpace = /^(?:\xef\xbb\xbf)?[\0\t\n\f\r ]*$/;
/** Lines of text, such as headers of HTTP or MIME and printer commands. `\x1b%-12345X` ends printer commands (PJL). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters show that a file is not text
const lines = /^[^\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]*(?:[\r\n]|\x1b%-12345X)[\t ]*$/;
/** Other formats that begin like lines of text: archives of `ar`, RTF and PostScript. */
const otherFormats = /^(?:!<arch>|\{\\rtf|%!PS)/;

/**
 * Whether a file is a PDF, by its first bytes. Only white space or lines of text may precede the header: a ZIP or TAR archive with a
 * PDF in it is no PDF, and neither is a text that mentions the header.
 */
export function hasPdfHeader(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, headBytes)).toString('latin1');
  const at = text.indexOf(header);
  if (at === -1) return false;
  const before = text.slice(0, at);
  return whiteSpace.test(before) || (lines.test(before) && !otherFormats.test(before));
}
