import { PdfString } from '@libpdf/core';

/** Encodes a text string of a PDF as UTF-16 with a byte order mark. */
export function textString(text: string): PdfString {
  return PdfString.fromBytes(Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
}
