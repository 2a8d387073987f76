import { PDF, type PdfDict, PdfStream } from '@libpdf/core';

/** Returns the validation data in a sealed PDF. */
export async function storeOf(sealed: Buffer): Promise<Record<'Certs' | 'OCSPs' | 'CRLs', Buffer[]> | null> {
  const pdf = await PDF.load(sealed);
  const resolve = (ref: Parameters<PDF['context']['resolve']>[0]) => pdf.context.resolve(ref);
  const store: PdfDict | undefined = pdf.context.catalog.getDict().getDict('DSS', resolve);
  if (store === undefined) return null;
  const all = (key: string) =>
    [...(store.getArray(key, resolve) ?? [])].map((item) => {
      const stream = item.type === 'ref' ? resolve(item) : item;
      return stream instanceof PdfStream ? Buffer.from(stream.getDecodedData()) : Buffer.alloc(0);
    });
  return { Certs: all('Certs'), OCSPs: all('OCSPs'), CRLs: all('CRLs') };
}
