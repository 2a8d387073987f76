/** As many of a file's first bytes as its kind may take to show. */
export const headBytes = 1024;

export type FileKind = 'pdf' | 'html' | 'other';

const pdfHeader = Buffer.from('%PDF-');
const htmlStart = /^(?:<!doctype\s+html|<html|<head|<body|<script|<meta|<title)/i;

/** What a file is, by its first bytes: never by its name or by what was said of it (spec.md, File handling). */
export function kindOfBytes(head: Buffer): FileKind {
  if (looksLikeHtml(head)) return 'html';
  // Readers take a header that does not stand at the very beginning.
  return head.subarray(0, headBytes).includes(pdfHeader) ? 'pdf' : 'other';
}

/** Whether the first element is one of HTML's. Other XML (SVG, say) is not HTML. */
export function looksLikeHtml(head: Buffer): boolean {
  let text = head
    .subarray(0, headBytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .replace(/^<\?xml[^>]*>\s*/, '');
  while (text.startsWith('<!--')) {
    const end = text.indexOf('-->', 4);
    if (end === -1) return false;
    text = text.slice(end + 3).trimStart();
  }
  return htmlStart.test(text);
}
