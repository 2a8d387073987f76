import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { textString } from '../../pdf/drawing/text-string.ts';
import type { EnclosedFile } from '../file-facts.ts';

/**
 * Adds an unsigned signature field with an empty appearance that carries associated files (ISO 32000-2, 14.13.5).
 * Every earlier signature allows a new signature and its parts. Files attached to the document, or new pages, would break
 * the earlier signatures in strict readers.
 */
export function addFieldWithFiles(pdf: PDF, fieldName: string, files: readonly EnclosedFile[]): void {
  const nothing = PdfStream.fromDict({
    Type: PdfName.of('XObject'),
    Subtype: PdfName.of('Form'),
    BBox: new PdfArray([0, 0, 0, 0].map((number) => PdfNumber.of(number))),
    AF: new PdfArray(files.map((file) => pdf.register(specification(pdf, file)))),
  });
  const field = pdf.getOrCreateForm().createSignatureField(fieldName).getDict();
  field.set('AP', PdfDict.of({ N: pdf.register(nothing) }));
}

function specification(pdf: PDF, { name, mediaType, description, bytes }: EnclosedFile): PdfDict {
  const stream = PdfStream.fromDict(
    {
      Type: PdfName.of('EmbeddedFile'),
      Subtype: PdfName.of(mediaType),
      Params: PdfDict.of({ Size: PdfNumber.of(bytes.length) }),
    },
    bytes,
  );
  return PdfDict.of({
    Type: PdfName.of('Filespec'),
    F: textString(name),
    UF: textString(name),
    Desc: textString(description),
    AFRelationship: PdfName.of('Supplement'),
    EF: PdfDict.of({ F: pdf.register(stream) }),
  });
}
