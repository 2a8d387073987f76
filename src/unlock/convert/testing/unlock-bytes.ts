import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Block, UnlockedPage } from '../../blocks.ts';
import { readPages } from '../../text/export/read-pages.ts';
import type { Unlocker } from '../create-unlocker.ts';
import type { Conversion } from '../process/jobs.ts';

/** Unlocks a PDF and returns its pages. */
export async function unlockBytes(
  unlocker: Unlocker,
  pdf: Uint8Array,
  pages = 1,
): Promise<{ made: Conversion; pages: UnlockedPage[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'unlock-'));
  try {
    const [source, output] = [join(directory, 'a.pdf'), join(directory, 'pages.gz')];
    writeFileSync(source, pdf);
    const made = await unlocker.convert({ source, output, pages });
    return { made, pages: made.ok ? await Readable.from(readPages(createReadStream(output))).toArray() : [] };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Writes a block as one line for tests: `h1 Title`, `p Text`, indented `• item`, `a | b`, `[text] Name = Ada`. */
export function shownBlock(block: Block): string[] {
  switch (block.type) {
    case 'heading':
      return [`h${block.level} ${block.text}`];
    case 'paragraph':
      return [`p ${block.text}`];
    case 'list':
      return block.items.map(({ level, marker, text }) => `${'  '.repeat(level)}${marker} ${text}`);
    case 'table':
      return block.rows.map((row) => row.map(({ text }) => text).join(' | '));
    case 'field':
      return [`[${block.kind}] ${block.label} = ${block.checked ?? block.value}`];
  }
}

export function shownPages(pages: readonly UnlockedPage[]): string[] {
  return pages.flatMap(({ blocks }) => blocks).flatMap(shownBlock);
}
