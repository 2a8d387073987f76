/**
 * Just enough ASN.1 for a PKCS#12 file and a self-signed certificate. Writes DER; reads DER and the BER that some
 * exporters use (indefinite lengths, octet strings in pieces).
 */
export interface DerNode {
  tag: number;
  /** What follows tag and length. Of a node of indefinite length, without its end marker. */
  content: Buffer;
  /** The node as it stood in the file. */
  raw: Buffer;
  children: DerNode[];
}

const constructed = 0x20;
/** Real certificate files nest about fifteen deep. */
const depthMax = 40;

export function readDer(bytes: Buffer): DerNode {
  return readNode(bytes, 0, 0).node;
}

/** The bytes of an octet string, also one that is cut into pieces. */
export function octets(node: DerNode): Buffer {
  return node.tag & constructed ? Buffer.concat(node.children.map(octets)) : node.content;
}

export function readOid(node: DerNode): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of node.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const first = arcs[0] ?? 0;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...arcs.slice(1)].join('.');
}

export function readInteger(node: DerNode): number {
  return Number.parseInt(node.content.toString('hex') || '0', 16);
}

/** The child at `index`; a file that lacks it is not what it claims to be. */
export function child(node: DerNode, index: number): DerNode {
  const found = node.children[index];
  if (found === undefined) throw new Error('an ASN.1 structure is incomplete');
  return found;
}

function readNode(bytes: Buffer, start: number, depth: number): { node: DerNode; end: number } {
  const tag = bytes[start];
  const lengthByte = bytes[start + 1];
  if (tag === undefined || lengthByte === undefined || depth > depthMax) throw new Error('not ASN.1');
  if ((tag & 0x1f) === 0x1f) throw new Error('an ASN.1 tag is longer than one byte');

  const contentStart = start + 2 + (lengthByte > 0x80 ? lengthByte & 0x7f : 0);
  if (lengthByte === 0x80) return readIndefinite(bytes, start, depth);

  const length = lengthByte < 0x80 ? lengthByte : Number(`0x${bytes.toString('hex', start + 2, contentStart) || 'x'}`);
  const end = contentStart + length;
  if (!(end <= bytes.length)) throw new Error('an ASN.1 value is cut off');

  const node = { tag, content: bytes.subarray(contentStart, end), raw: bytes.subarray(start, end), children: [] };
  if (!(tag & constructed)) return { node, end };
  const children: DerNode[] = [];
  for (let at = contentStart; at < end; ) {
    const next = readNode(bytes.subarray(0, end), at, depth + 1);
    children.push(next.node);
    at = next.end;
  }
  return { node: { ...node, children }, end };
}

function readIndefinite(bytes: Buffer, start: number, depth: number): { node: DerNode; end: number } {
  const children: DerNode[] = [];
  let at = start + 2;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    const next = readNode(bytes, at, depth + 1);
    children.push(next.node);
    at = next.end;
  }
  const end = at + 2;
  const tag = bytes[start] ?? 0;
  return { node: { tag, content: bytes.subarray(start + 2, at), raw: bytes.subarray(start, end), children }, end };
}

export const der = {
  sequence: (...items: Buffer[]) => encode(0x30, ...items),
  set: (...items: Buffer[]) => encode(0x31, ...items),
  octetString: (bytes: Buffer) => encode(0x04, bytes),
  bitString: (bytes: Buffer, unusedBits = 0) => encode(0x03, Buffer.from([unusedBits]), bytes),
  utf8String: (text: string) => encode(0x0c, Buffer.from(text, 'utf8')),
  bmpString: (text: string) => encode(0x1e, Buffer.from(text, 'utf16le').swap16()),
  true: () => Buffer.from([0x01, 0x01, 0xff]),
  null: () => Buffer.from([0x05, 0x00]),
  /** UTCTime to 2049 and GeneralizedTime from then on, as RFC 5280 wants it. */
  time(at: Date): Buffer {
    const digits = `${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
    return at.getUTCFullYear() < 2050 ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits));
  },
  /** A positive integer from its big-endian bytes, or a small number. */
  integer(value: number | Buffer): Buffer {
    const hex = typeof value === 'number' ? value.toString(16) : value.toString('hex');
    const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
    return encode(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);
  },
  oid(text: string): Buffer {
    const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
    return encode(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
  },
  /** A context tag, `[0]` for instance, around whole values (explicit) or in place of a tag (implicit). */
  explicit: (number: number, ...items: Buffer[]) => encode(0xa0 + number, ...items),
  implicit: (number: number, content: Buffer) => encode(0x80 + number, content),
};

function encode(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

function base128(arc: number): number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return bytes;
}
