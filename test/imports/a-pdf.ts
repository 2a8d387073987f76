import { randomBytes } from 'node:crypto';

export interface PdfWish {
  pages?: number;
  /** Approximate size of the file. It is filled up with data that is not drawn. */
  bytes?: number;
  /** Makes files with the same text differ. */
  words?: string;
}

let made = 0;

/** A valid PDF. It differs from all others unless its text is given. */
export function aPdf({ pages = 1, bytes = 0, words }: PdfWish = {}): Buffer {
  made += 1;
  const kids = Array.from({ length: pages }, (_, page) => `${4 + page} 0 R`).join(' ');
  const text = `BT /F1 12 Tf 72 720 Td (${words ?? `file ${made}`}) Tj ET`;
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`),
    Buffer.from(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`),
    ...Array.from({ length: pages }, () =>
      Buffer.from(
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
      ),
    ),
  ];
  const noise = bytes > 2000 ? randomBytes(bytes - 1000) : null;
  if (noise !== null) {
    objects.push(
      Buffer.concat([Buffer.from(`<< /Length ${noise.length} >>\nstream\n`), noise, Buffer.from('\nendstream')]),
    );
  }
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const xref = length;
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
