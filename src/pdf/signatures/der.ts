import { fromBER } from 'asn1js';

/** A node of an ASN.1 structure, as encoded in the file. */
export interface DerNode {
  tag: number;
  /** The bytes after tag and length. */
  content: Buffer;
  raw: Buffer;
  children: DerNode[];
}

type Block = ReturnType<typeof fromBER>['result'];

const constructed = 0x20;

/** Reads the ASN.1 structure at the start of `bytes`. Ignores bytes after it, such as padding. */
export function readDer(bytes: Buffer): DerNode {
  const { result, offset } = fromBER(bytes);
  if (offset === -1) throw new Error(`not ASN.1: ${result.error}`);
  return toNode(result);
}

/** Returns the bytes of an octet string, joining its chunks. */
export function octets(node: DerNode): Buffer {
  return node.tag & constructed ? Buffer.concat(node.children.map(octets)) : node.content;
}

export function readOid(node: DerNode): string {
  return String(fromBER(node.raw).result.valueBlock);
}

/** Returns the child at `index`. Throws when it is missing. */
export function child(node: DerNode, index: number): DerNode {
  const found = node.children[index];
  if (found === undefined) throw new Error('an ASN.1 structure is incomplete');
  return found;
}

function toNode(block: Block): DerNode {
  const raw = Buffer.from(block.valueBeforeDecodeView);
  const tag = raw[0] ?? 0;
  const content = raw.subarray(block.idBlock.blockLength + block.lenBlock.blockLength);
  // asn1js also parses the content of octet strings. Only constructed nodes have real children.
  const inner = tag & constructed && 'value' in block.valueBlock ? (block.valueBlock.value as Block[]) : [];
  return { tag, content, raw, children: inner.map(toNode) };
}
