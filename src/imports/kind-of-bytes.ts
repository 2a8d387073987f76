import { hasPdfHeader, headBytes } from '../pdf/pdf-header.ts';

export type FileKind = 'pdf' | 'html' | 'other';

const htmlStart = /^(?:<!doctype\s+html|<html|<head|<body|<script|<meta|<title)/i;

/** Returns the kind of a file by its first bytes, whatever its name and declared type say. */
export function kindOfBytes(head: Buffer): FileKind {
  if (looksLikeHtml(head)) return 'html';
  return hasPdfHeader(head) ? 'pdf' : 'other';
}

/** Whether the first element is an HTML element. Other XML, such as SVG, is not HTML. */
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
