import { sign } from 'node:crypto';
import { deflateRawSync, constants as zlib } from 'node:zlib';
import { ops, PDF } from '@libpdf/core';
import { chainEntry, emptyChain } from '../../src/documents/audit.ts';
import { createSelfSigned } from '../../src/pdf/signatures/self-signed.ts';

/** Changes to a sealed PDF that falsify its content. */
export function flipped(pdf: Buffer, at: number): Buffer {
  const copy = Buffer.from(pdf);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Replaces a hexadecimal digit by another one. Flipping a bit could make it an invalid digit. */
export function otherDigit(pdf: Buffer, at: number): Buffer {
  const copy = Buffer.from(pdf);
  copy.write(copy[at] === 0x30 ? '1' : '0', at, 'latin1');
  return copy;
}

/** Returns the offset of the `n`th occurrence of a text. A negative `n` counts from the end. */
export function offsetOf(pdf: Buffer, text: string, n = 1): number {
  const found: number[] = [];
  for (let at = pdf.indexOf(text); at !== -1; at = pdf.indexOf(text, at + 1)) found.push(at);
  const at = found.at(n > 0 ? n - 1 : n);
  if (at === undefined) throw new Error(`the file has no ${text}`);
  return at;
}

export function replaced(pdf: Buffer, from: RegExp, to: (match: string) => string): Buffer {
  const text = pdf.toString('latin1');
  if (!from.test(text)) throw new Error(`the file has no ${from}`);
  return Buffer.from(text.replace(from, to), 'latin1');
}

/** Changes the numbers of the byte range within their space. */
export function withRange(pdf: Buffer, change: (range: number[]) => number[]): Buffer {
  return replaced(pdf, /\/ByteRange \[[^\]]*\]/, (match) => {
    const numbers = change((match.match(/\d+/g) ?? []).map(Number));
    const start = `/ByteRange [${numbers.join(' ')}`;
    return `${start.padEnd(match.length - 1)}]`;
  });
}

/** Returns the file before it was signed: its first revision. */
export function unsigned(pdf: Buffer): Buffer {
  return pdf.subarray(0, offsetOf(pdf, '%%EOF') + 6);
}

/** Appends an incremental update like a PDF editor. */
export async function updated(pdf: Buffer, change: (opened: PDF) => void): Promise<Buffer> {
  const opened = await PDF.load(pdf);
  change(opened);
  return Buffer.from(await opened.save({ incremental: true }));
}

/** Rewrites all objects. */
export async function rewritten(pdf: Buffer, change: (opened: PDF) => void): Promise<Buffer> {
  const opened = await PDF.load(pdf);
  change(opened);
  return Buffer.from(await opened.save());
}

export function withNote(opened: PDF): void {
  opened.getPage(0)?.drawText('and twice the price', { x: 72, y: 72 });
}

/** Changes the first signature in the audit trail, and recomputes the chain. */
export function withForgedTrail(opened: PDF): void {
  const content = JSON.parse(Buffer.from(opened.getAttachment('content.json') ?? []).toString());
  const trail = JSON.parse(Buffer.from(opened.getAttachment('audit.json') ?? []).toString());
  let head = emptyChain;
  const forged = trail.map((entry: { action: string; at: string }) => {
    const at = entry.action === 'signed' ? '2020-01-01T00:00:00.000Z' : entry.at;
    const next = chainEntry(content.id, head, { ...(entry as never as Parameters<typeof chainEntry>[2]), at });
    head = { seq: next.seq, hash: next.hash };
    return { ...entry, at, hash: next.hash.toString('hex'), previous_hash: next.previousHash.toString('hex') };
  });
  opened.removeAttachment('audit.json');
  opened.addAttachment('audit.json', Buffer.from(JSON.stringify(forged)));
}

/** Signs like the service, with another key and certificate. */
export async function signedByAnother(pdf: Buffer, commonName: string, fieldName = 'Countersign'): Promise<Buffer> {
  const [notBefore, notAfter] = [new Date('2026-01-01'), new Date('2036-01-01')];
  const { key, certificate } = await createSelfSigned({ commonName, notBefore, notAfter, serial: Buffer.alloc(16, 7) });
  const opened = await PDF.load(pdf);
  const { bytes } = await opened.sign({
    signer: {
      certificate,
      keyType: 'EC',
      signatureAlgorithm: 'ECDSA',
      sign: async (data, algorithm) => sign(algorithm.replace('-', ''), data, key),
    },
    fieldName,
    level: 'B-B',
    signingTime: new Date('2026-03-10T12:01:00Z'),
  });
  return Buffer.from(bytes);
}

export async function encrypted(pdf: Buffer): Promise<Buffer> {
  return rewritten(pdf, (opened) => opened.setProtection({ userPassword: 'secret', ownerPassword: 'secret' }));
}

export async function plainPdf(pages = 1): Promise<Buffer> {
  const pdf = PDF.create();
  for (let page = 0; page < pages; page++) {
    pdf.addPage().drawOperators([ops.setNonStrokingRGB(0, 0, 0), ops.rectangle(0, 0, 10, 10), ops.fill()]);
  }
  return Buffer.from(await pdf.save());
}

/** Makes a minimal PDF from objects by number, with a cross-reference table. */
export function handmade(objects: Record<number, string | Buffer>): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: Record<number, number> = {};
  let size = 9;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  for (const [number, body] of Object.entries(objects)) {
    offsets[Number(number)] = size;
    add(Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body as string), Buffer.from('\nendobj\n')]));
  }
  const count = Math.max(...Object.keys(objects).map(Number)) + 1;
  const table = Array.from({ length: count }, (_, number) =>
    offsets[number] === undefined ? '0000000000 65535 f \n' : `${String(offsets[number]).padStart(10, '0')} 00000 n \n`,
  ).join('');
  const start = size;
  add(Buffer.from(`xref\n0 ${count}\n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** Gigabytes of zeros in a few kilobytes, as repeated compressed mebibytes. */
export function inflatesTo(mebibytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: zlib.Z_FULL_FLUSH });
  const bytes = mebibytes * 2 ** 20;
  const adler = Buffer.alloc(4);
  adler.writeUInt32BE(((bytes % 65_521) * 65_536 + 1) >>> 0);
  const all = Array.from({ length: mebibytes }, () => one);
  return Buffer.concat([Buffer.of(0x78, 0x9c), ...all, Buffer.of(0x03, 0x00), adler]);
}

export function stream(dictionary: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}
