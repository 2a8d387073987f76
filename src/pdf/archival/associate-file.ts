import { type PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core';

/** How an embedded file relates to the document (ISO 19005-3, 6.8 and annex E). */
export type FileRelationship = 'Source' | 'Data' | 'Supplement';

/**
 * Makes a file that libpdf embedded an associated file of the document, as PDF/A-3 demands (ISO 19005-3, 6.8). Also mends its media
 * type, in which libpdf escapes the slash twice.
 */
export function associateFile(pdf: PDF, name: string, mediaType: string, relationship: FileRelationship): void {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const catalog = pdf.context.catalog;
  const specification = catalog.getEmbeddedFilesTree()?.get(name);
  if (!(specification instanceof PdfDict)) throw new Error(`the file ${name} is not embedded`);
  const ref = pdf.context.registry.getRef(specification);
  if (!(ref instanceof PdfRef)) throw new Error(`the file ${name} is not an object of its own`);
  specification.set('AFRelationship', PdfName.of(relationship));
  const stream = specification.getDict('EF', resolve)?.get('F', resolve);
  if (stream instanceof PdfStream) stream.set('Subtype', PdfName.of(mediaType));
  const others = catalog.getDict().getArray('AF', resolve) ?? [];
  catalog.getDict().set('AF', new PdfArray([...others, ref]));
}
