import { handmade, stream } from '../tampering.ts';
import type { Attack } from './spoofing.ts';
import { appended, numberWith, objectOf, withoutObjects } from './update.ts';

/**
 * Shadow documents contain, before they are signed, what will be shown later (C. Mainka, V. Mladenov, S. Rohlmann: "Shadow
 * Attacks: Hiding and Replacing Content in Signed PDFs", NDSS 2021). `file` is attached and sealed, then `after` changes
 * the sealed file.
 */
export const shadows: Record<string, { file: Buffer; after: Attack }> = {
  'shadow, hide: a picture over the text is deleted': {
    file: twoFaced('(Price: 100000 dollars) Tj', 'q 612 0 0 792 0 0 cm /Cover Do Q'),
    after: (pdf) => withoutObjects(pdf, [numberWith(pdf, '/ShadowCover')]),
  },
  'shadow, replace: a form field is given another look': {
    file: twoFaced('(Price: see below) Tj', ''),
    after: (pdf) => {
      const look = numberWith(pdf, '/ShadowLook');
      return appended(pdf, { [look]: objectOf(pdf, look).replace('(    100)', '(100000)') });
    },
  },
  'shadow, replace: the font is given other letters': {
    file: twoFaced('(Price: 100 dollars) Tj', ''),
    after: (pdf) => {
      const font = numberWith(pdf, '/BaseFont /Helvetica');
      return appended(pdf, { [font]: objectOf(pdf, font).replace('/Helvetica', '/ZapfDingbats') });
    },
  },
  'shadow, hide and replace: the other words that were inside are shown': {
    file: twoFaced('(Price: 100 dollars) Tj', ''),
    after: (pdf) => {
      const shown = numberWith(pdf, '/ShadowShown');
      return appended(pdf, { [shown]: objectOf(pdf, numberWith(pdf, '/ShadowHidden')) });
    },
  },
};

/** A page whose text can be replaced by another, unreferenced one, and a field with its own appearance. */
function twoFaced(text: string, over: string): Buffer {
  const words = (show: string) => Buffer.from(`BT /F1 24 Tf 72 700 Td ${show} ET ${over}`);
  const look = Buffer.from('BT /F1 12 Tf 2 2 Td (    100) Tj ET');
  const font = '/Resources << /Font << /F1 5 0 R >> /XObject << /Cover 6 0 R >> >>';
  return handmade({
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [8 0 R] >> >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${font} /Contents 4 0 R /Annots [8 0 R] >>`,
    4: stream('/ShadowShown true', words(text)),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    6: stream(
      '/ShadowCover true /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      Buffer.of(0xff),
    ),
    7: stream(`/ShadowLook true /Type /XObject /Subtype /Form /BBox [0 0 80 20] ${font}`, look),
    8: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Price) /F 4 /Rect [72 600 152 620] /P 3 0 R /AP << /N 7 0 R >> >>',
    9: stream('/ShadowHidden true', words('(Price: 100000 dollars) Tj')),
  });
}
