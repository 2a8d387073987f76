import { firstFreeObject, makePdf, stream } from './make-pdf.ts';

/** The appearance of a field: black, with a white text. */
export const look = (entries = '', text = 'Filled in') =>
  stream(
    `/Type /XObject /Subtype /Form /BBox [0 0 228 20] /Resources << /Font << /F1 3 0 R >> >> ${entries}`,
    Buffer.from(`0 g 0 0 228 20 re f BT 1 g /F1 12 Tf 2 5 Td (${text}) Tj ET`),
  );
/** Numbers of the objects. */
export const [field, appearance] = [firstFreeObject, firstFreeObject + 1];
export const form = (entries = '') =>
  `/AcroForm << /Fields [${field} 0 R] /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 3 0 R >> >> ${entries} >>`;
export const text = '/FT /Tx /T (rate) /V (Typed)';
export const withLook = `/AP << /N ${appearance} 0 R >>`;

export interface FormPlan {
  entries: string;
  flags?: number;
  catalog?: string;
  page?: string;
  /** The content of the page instead of a line of text. */
  content?: string;
  looks?: Buffer;
  /** Another object, number 10,002. */
  layer?: string | Buffer;
}

/** Makes a page with a line of text and one field. */
export function formFile(plan: FormPlan): Buffer {
  const { entries, flags = 4, catalog = form(), page = '', content, looks = look(), layer = 'null' } = plan;
  const rectangle = '/Rect [72 600 300 620]';
  return makePdf({
    pages: [
      {
        text: 'Rate:',
        entries: `/Annots [${field} 0 R] ${page}`,
        ...(content !== undefined && { content: { entries: '', bytes: Buffer.from(content) } }),
      },
    ],
    catalog,
    objects: [
      `<< /Type /Annot /Subtype /Widget ${rectangle} /F ${flags} /DA (/Helv 12 Tf 0 g) ${entries} >>`,
      looks,
      layer,
    ],
  });
}
