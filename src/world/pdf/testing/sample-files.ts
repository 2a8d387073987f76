import { createHash, sign } from 'node:crypto';
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { createSelfSigned } from '../certificate/self-signed.ts';
import type { SealField, SealInput } from '../seal-input.ts';
import { sampleInput } from './sample-input.ts';

/** A PDF of others' making, a line of text on each page. */
export async function sampleFile(pages = 2, change: (pdf: PDF) => void = () => {}): Promise<Buffer> {
  const pdf = PDF.create();
  for (let i = 0; i < pages; i++) pdf.addPage({ size: 'letter' }).drawText(`Clause ${i + 1}`, { x: 72, y: 700 });
  change(pdf);
  return Buffer.from(await pdf.save());
}

/** The input for a document with this file attached. */
export function inputFor(file: Uint8Array, pageCount: number, fields: Partial<SealField>[] = []): SealInput {
  const sample = sampleInput();
  const sha256 = createHash('sha256').update(file).digest('hex');
  const party = sample.parties[0]?.id ?? '';
  const place = { partyId: party, page: 1, x: 72, y: 200, width: 150, height: 30, label: null };
  return {
    ...sample,
    document: { ...sample.document, file: { name: 'lease.pdf', sha256, pageCount } },
    fields: fields.map((field) => ({ ...place, type: 'text', value: 'Blue door', ...field }) as SealField),
  };
}

/** Signed by somebody else before it was attached, and certified where `level` says what may still be changed. */
export async function signedFile(
  file: Uint8Array,
  fieldName = 'Earlier',
  level: 1 | 2 | 3 | null = null,
): Promise<Buffer> {
  const [notBefore, notAfter] = [new Date('2026-01-01'), new Date('2036-01-01')];
  const commonName = 'Notary';
  const { key, certificate } = createSelfSigned({ commonName, notBefore, notAfter, serial: Buffer.alloc(16, 7) });
  const pdf = await PDF.load(file);
  if (level !== null) certify(pdf, level);
  const { bytes } = await pdf.sign({
    signer: {
      certificate,
      keyType: 'EC',
      signatureAlgorithm: 'ECDSA',
      sign: async (data, algorithm) => sign(algorithm.replace('-', ''), data, key),
    },
    fieldName,
    level: 'B-B',
    signingTime: new Date('2026-03-01T00:00:00Z'),
  });
  return Buffer.from(bytes);
}

function certify(pdf: PDF, level: number): void {
  const { registry, catalog } = pdf.context;
  const register = registry.register.bind(registry);
  registry.register = (object) => {
    if (!(object instanceof PdfDict) || object.getName('Type')?.value !== 'Sig') return register(object);
    const TransformParams = PdfDict.of({ P: PdfNumber.of(level), V: PdfName.of('1.2') });
    object.set('Reference', new PdfArray([PdfDict.of({ TransformMethod: PdfName.of('DocMDP'), TransformParams })]));
    const ref = register(object);
    catalog.getDict().set('Perms', PdfDict.of({ DocMDP: ref }));
    return ref;
  };
}
