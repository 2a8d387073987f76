import { createHash, randomBytes, sign } from 'node:crypto';
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { createSelfSigned } from '../../pdf/signatures/self-signed.ts';
import type { SealField, SealInput } from '../seal-input.ts';
import { sampleInput } from './sample-input.ts';

/** Makes a PDF with a line of text on each page, as another program would. */
export async function sampleFile(pages = 2, change: (pdf: PDF) => void = () => {}): Promise<Buffer> {
  const pdf = PDF.create();
  for (let i = 0; i < pages; i++) pdf.addPage({ size: 'letter' }).drawText(`Clause ${i + 1}`, { x: 72, y: 700 });
  change(pdf);
  return Buffer.from(await pdf.save());
}

/** Makes the input for a document with an attached file. */
export function inputFor(file: Uint8Array, pageCount: number, fields: Partial<SealField>[] = []): SealInput {
  const sample = sampleInput();
  const sha256 = createHash('sha256').update(file).digest('hex');
  const recipient = sample.recipients[0]?.id ?? '';
  const place = { recipientId: recipient, page: 1, x: 72, y: 200, width: 150, height: 30, label: null };
  return {
    ...sample,
    document: { ...sample.document, file: { name: 'lease.pdf', sha256, pageCount } },
    fields: fields.map((field) => ({ ...place, type: 'text', value: 'Blue door', ...field }) as SealField),
  };
}

/**
 * Signs a file as someone else would before attaching it. With `level`, the signature certifies the permitted changes. The kind
 * `adbe.pkcs7.detached` is older than PAdES.
 */
export async function signedFile(
  file: Uint8Array,
  fieldName = 'Earlier',
  level: 1 | 2 | 3 | null = null,
  subFilter: 'ETSI.CAdES.detached' | 'adbe.pkcs7.detached' = 'ETSI.CAdES.detached',
): Promise<Buffer> {
  const [notBefore, notAfter] = [new Date('2026-01-01'), new Date('2036-01-01')];
  const commonName = 'Notary';
  const { key, certificate } = await createSelfSigned({ commonName, notBefore, notAfter, serial: Buffer.alloc(16, 7) });
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
    subFilter,
    ...(subFilter === 'ETSI.CAdES.detached' && { level: 'B-B' }),
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

/** Makes a PDF of about `megabytes` MB, with images that cannot be compressed. */
export function imageFile(pages: number, megabytes: number): Buffer {
  const size = Math.floor((megabytes * 1e6) / pages);
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = 9;
  const add = (number: number, ...body: Buffer[]) => {
    offsets[number] = length;
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), ...body, Buffer.from('\nendobj\n')]);
    parts.push(object);
    length += object.length;
  };
  const kids = Array.from({ length: pages }, (_, i) => `${3 + 3 * i} 0 R`).join(' ');
  add(1, Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'));
  add(2, Buffer.from(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`));
  for (let i = 0; i < pages; i++) {
    const [page, content, image] = [3 + 3 * i, 4 + 3 * i, 5 + 3 * i];
    const width = 1000;
    const height = Math.floor(size / width);
    const drawn = 'q 500 0 0 400 50 300 cm /I Do Q';
    const resources = `<< /XObject << /I ${image} 0 R >> >>`;
    const form = `/Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`;
    add(
      page,
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources ${resources} >>`,
      ),
    );
    add(content, Buffer.from(`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`));
    add(
      image,
      Buffer.from(`<< /Type /XObject /Subtype /Image ${form} /Length ${width * height} >>\nstream\n`),
      randomBytes(width * height),
      Buffer.from('\nendstream'),
    );
  }
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const table = `xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`;
  parts.push(Buffer.from(`${table}trailer\n<< /Size ${offsets.length} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`));
  return Buffer.concat(parts);
}
