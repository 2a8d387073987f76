import { drawing, type Objects, type PlainOptions, updatedPdf } from './updated-pdf.ts';

/** A file with one page, a form with one signed field, and a document security store. */
export const objects: Objects = {
  1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /DSS 9 0 R >>',
  2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots 5 0 R /Resources << >> >>',
  4: drawing('', '0 g 100 100 300 300 re f'),
  5: '[7 0 R]',
  6: '<< /Fields [7 0 R] /SigFlags 3 /DA (/Helv 0 Tf 0 g) >>',
  7: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Seal) /P 3 0 R /Rect [0 0 0 0] /F 132 /V 8 0 R >>',
  8: '<< /Type /Sig /SubFilter /ETSI.CAdES.detached /Contents <00> /ByteRange [0 1 2 3] >>',
  9: '<< /Certs [10 0 R] >>',
  10: drawing('', 'a certificate'),
};

const gap = `<${'00'.repeat(40)}>`;
/** A signature field with the time-stamp. */
export const field = (more = '', rect = '[0 0 0 0]') =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Time-stamp) /P 3 0 R /Rect ${rect} /F 132 /V 501 0 R ${more} >>`;
export const stamp = `<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 /ByteRange [0 1111111111 2222222222 3333333333] /Contents ${gap} >>`;
/** The update that a time-stamp comes with. */
export const stamping: Objects = { 6: grown('500 0 R'), 500: field(), 501: stamp };

/** The form with another field. */
export function grown(added: string, more = ''): string {
  return `<< /Fields [7 0 R ${added}] /SigFlags 3 /DA (/Helv 0 Tf 0 g) ${more} >>`;
}

/** Appends an update, and writes the range of its time-stamp, if it has one. */
export function updated(file: Buffer, update: Objects, options: PlainOptions = {}): Buffer {
  const made = updatedPdf(file, update, options);
  const text = made.toString('latin1');
  const start = text.indexOf(gap, file.length);
  if (start === -1) return made;
  const end = start + gap.length;
  const range = [start, end, made.length - end];
  let ranged = text.slice(file.length);
  for (const [index, number] of range.entries())
    ranged = ranged.replace(String(index + 1).repeat(10), String(number).padEnd(10));
  return Buffer.from(text.slice(0, file.length) + ranged, 'latin1');
}
