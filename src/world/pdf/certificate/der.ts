import { fromBER } from 'asn1js';

/** A node of an ASN.1 structure, as it stands in the file. */
export interface DerNode {
  tag: number;
  /** What follows tag and length. */
  content: Buffer;
  raw: Buffer;
  children: DerNode[];
}

type Block = ReturnType<typeof fromBER>['result'];

const constructed = 0x20;

/** Reads the structure that `bytes` begin with; what follows it, such as padding, is left alone. */
export function readDer(bytes: Buffer): DerNode {
  const { result, offset } = fromBER(bytes);
  if (offset === -1) throw new Error(`not ASN.1: ${result.error}`);
  return toNode(result);
}

/** The bytes of an octet string, also one that is cut into pieces. */
export function octets(node: DerNode): Buffer {
  return node.tag & constructed ? Buffer.concat(node.children.map(octets)) : node.content;
}

export function readOid(node: DerNode): string {
  return String(fromBER(node.raw).result.valueBlock);
}

/** The child at `index`; a file that lacks it is not what it claims to be. */
export function child(node: DerNode, index: number): DerNode {
  const found = node.children[index];
  if (found === undefined) throw new Error('an ASN.1 structure is incomplete');
  return found;
}

function toNode(block: Block): DerNode {
  const raw = Buffer.from(block.valueBeforeDecodeView);
  const tag = raw[0] ?? 0;
  const content = raw.subarray(block.idBlock.blockLength + block.lenBlock.blockLength);
  // asn1js looks into octet strings too; only a constructed node has children of its own.
  const inner = tag & constructed && 'value' in block.valueBlock ? (block.valueBlock.value as Block[]) : [];
  return { tag, content, raw, children: inner.map(toNode) };
}
