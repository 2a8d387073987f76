import { loadFreshPdfium, type Pdfium } from '../../pdf/pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../../pdf/pdfium/open-document.ts';
import { pagePixels } from '../../pdf/pdfium/render-page.ts';

/** Bytes that PDFium finds in memory that it allocates and does not initialise. */
const leftovers = [0, 0x55, 0xff];
/** Block sizes run from 16 bytes to 256 KiB, 16 MB in total. */
const [blockSizes, blocksOfSize] = [15, 32];

/**
 * Compares a page of two files, each rendered by a new PDFium instance. An instance that has rendered other pages may draw
 * a font that is not embedded differently. A page with a damaged font may depend on leftover memory: it is `unstable`.
 */
export async function compareRenderings(
  [a, b]: readonly [Uint8Array, Uint8Array],
  page: number,
  width: number,
  isLate: () => boolean,
): Promise<'same' | 'changed' | 'unstable' | 'late'> {
  const drawn: Array<[Pixels | null, Pixels | null]> = [];
  for (const leftover of leftovers) {
    if (isLate()) return 'late';
    const pair: [Pixels | null, Pixels | null] = [
      await drawnFresh(a, page, width, leftover),
      await drawnFresh(b, page, width, leftover),
    ];
    if (drawn.length === 0 && isEqual(...pair)) return 'same';
    drawn.push(pair);
  }
  const [first = [null, null]] = drawn;
  return drawn.every((pair) => isEqual(pair[0], first[0]) && isEqual(pair[1], first[1])) ? 'changed' : 'unstable';
}

async function drawnFresh(file: Uint8Array, page: number, width: number, leftover: number): Promise<Pixels | null> {
  const pdfium = await loadFreshPdfium();
  fillFreeMemory(pdfium, leftover);
  const document = openBytes(pdfium, file);
  return typeof document === 'string' ? null : pixelsOrNull(document, page, width);
}

function fillFreeMemory({ memory }: Pdfium, value: number): void {
  const blocks = Array.from({ length: blockSizes * blocksOfSize }, (_, i) => {
    const size = 2 ** (4 + Math.floor(i / blocksOfSize));
    const address = memory.allocate(size);
    memory.bytes(address, size).fill(value);
    return address;
  });
  for (const address of blocks) memory.free(address);
}

export type Pixels = ReturnType<typeof pagePixels>;

/** Renders a page. Returns null when PDFium cannot render it. */
export function pixelsOrNull(document: OpenDocument, page: number, width: number): Pixels | null {
  try {
    return pagePixels(document, page, width);
  } catch {
    return null;
  }
}

export function isEqual(a: Pixels | null, b: Pixels | null): boolean {
  if (a === null || b === null) return a === b;
  return a.width === b.width && a.height === b.height && bytesOf(a.pixels).equals(bytesOf(b.pixels));
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8ClampedArray): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
