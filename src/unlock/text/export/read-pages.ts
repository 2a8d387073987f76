import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readLines } from '../../../platform/read-lines.ts';
import { type Block, listLevelMax, type UnlockedPage } from '../../blocks.ts';

/** Reads the pages of an unlocked document from its stored file, one by one. */
export async function* readPages(stored: Readable): AsyncGenerator<UnlockedPage> {
  for await (const line of linesOf(stored)) yield parsePage(line);
}

/** Reads one page, counted from 1. Null when there is no such page. */
export async function readPage(stored: Readable, number: number): Promise<UnlockedPage | null> {
  let page = 0;
  for await (const line of linesOf(stored)) {
    page += 1;
    if (page === number) return parsePage(line);
  }
  return null;
}

/** Texts of earlier versions of the service have deeper lists, which can't be saved. */
function parsePage(line: string): UnlockedPage {
  const page = JSON.parse(line) as UnlockedPage;
  return { ...page, blocks: page.blocks.map(limitLevels) };
}

function limitLevels(block: Block): Block {
  if (block.type !== 'list') return block;
  const items = block.items.map((item) => ({ ...item, level: Math.min(item.level, listLevelMax) }));
  return { ...block, items };
}

async function* linesOf(stored: Readable): AsyncGenerator<string> {
  const unzipped = createGunzip();
  stored.on('error', (error) => unzipped.destroy(error));
  stored.pipe(unzipped);
  try {
    yield* readLines(unzipped);
  } finally {
    stored.destroy();
    unzipped.destroy();
  }
}
