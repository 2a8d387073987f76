import { findSeals } from '../../../src/pdf/reading/find-seals.ts';
import { readSignedData } from '../../../src/pdf/reading/signed-data.ts';
import { type DerNode, readDer } from '../../../src/pdf/signatures/der.ts';

/** The order of P-256 (SEC 2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Replaces the signature (r, s) of the seal by (r, n - s), which is valid too. */
export function twinOf(pdf: Buffer): Buffer {
  const { raw, signature } = readSignedData(seal(pdf).contents);
  const [r, s] = readDer(signature).children;
  if (r === undefined || s === undefined) throw new Error('no ECDSA signature');
  const twin = encode(0x30, Buffer.concat([r.raw, integer(order - BigInt(`0x${s.content.toString('hex')}`))]));
  return withContents(pdf, rewritten(readDer(raw), signature, twin).toString('hex').toUpperCase());
}

/** Removes the unsigned attributes of the seal, including the time stamp. */
export function withoutTimeStamp(pdf: Buffer): Buffer {
  const { raw } = readSignedData(seal(pdf).contents);
  const [type, explicit] = readDer(raw).children;
  const signed = explicit?.children[0]?.children ?? [];
  const info = signed.at(-1)?.children[0]?.children ?? [];
  if (type === undefined || info.at(-1)?.tag !== 0xa1) throw new Error('the seal has no unsigned attributes');
  const bytes = (nodes: DerNode[]) => Buffer.concat(nodes.map((node) => node.raw));
  const signer = encode(0x31, encode(0x30, bytes(info.slice(0, -1))));
  const inner = encode(0xa0, encode(0x30, Buffer.concat([bytes(signed.slice(0, -1)), signer])));
  return withContents(
    pdf,
    encode(0x30, Buffer.concat([type.raw, inner]))
      .toString('hex')
      .toUpperCase(),
  );
}

/** Returns the signer's certificate (DER) of the last seal. */
export function sealSigner(pdf: Buffer): Buffer {
  const { signer } = readSignedData(seal(pdf).contents);
  if (signer === null) throw new Error('the seal names no certificate');
  return signer.raw;
}

/** Writes the seal's hex digits in lower case. */
export function lowerCased(pdf: Buffer): Buffer {
  return withContents(pdf, seal(pdf).contents.toString('hex'));
}

function seal(pdf: Buffer) {
  const { range, contents } = findSeals(pdf).at(-1) ?? {};
  if (range === undefined || contents == null) throw new Error('there is no seal');
  return { range, contents };
}

function withContents(pdf: Buffer, hex: string): Buffer {
  const [, start, end] = seal(pdf).range;
  const copy = Buffer.from(pdf);
  copy.write(hex.padEnd(end - start - 2, '0'), start + 1, 'latin1');
  return copy;
}

/** Replaces one octet string, and every length around it. */
function rewritten(node: DerNode, from: Buffer, to: Buffer): Buffer {
  if (node.tag === 0x04 && node.content.equals(from)) return encode(0x04, to);
  if (!node.raw.includes(from)) return node.raw;
  return encode(node.tag, Buffer.concat(node.children.map((one) => rewritten(one, from, to))));
}

function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return encode(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

function encode(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
