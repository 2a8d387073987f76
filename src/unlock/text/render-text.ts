import { join } from 'node:path';
import { type FileContent, releaseFile, retainFile, storeFile } from '../../documents/stored-files.ts';
import type { FileStore } from '../../platform/files.ts';
import { withTemporaryDirectory } from '../../platform/temporary-directory.ts';
import type { World } from '../../platform/world.ts';
import type { Database, Queryable, Tx } from '../../postgres/database.ts';
import { createPageWriter } from '../convert/process/write-pages.ts';
import type { Renderer } from './create-renderer.ts';
import { lockUnlocked, type Unlocked } from './find-unlocked.ts';
import { readText } from './read-text.ts';
import type { Rendering } from './render/jobs.ts';

export interface RenderMeans {
  world: World;
  db: Database;
  files: FileStore;
  renderer: Renderer;
}

/** Thrown when every block was removed, so that there is nothing to make a PDF of. */
export class NothingToRender extends Error {}

/**
 * Makes a PDF of the current text in a child process. Stores it with the unlocked document in place of an earlier one.
 * Throws `NothingToRender`, a `PdfWorkerError` and a `FileStoreError`.
 */
export async function renderText(means: RenderMeans, unlocked: Unlocked, title: string): Promise<void> {
  const { world, db, files, renderer } = means;
  await withTemporaryDirectory(async (directory) => {
    const [source, output] = [join(directory, 'pages.gz'), join(directory, 'made.pdf')];
    await writeText(db, files, unlocked, source);
    const made = await renderer.render({ source, output, title, at: world.clock.now() });
    const content = { sha256: Buffer.from(made.sha256), bytes: made.bytes };
    await storeFile(world, db, files, content, output);
    await db.transaction((tx) => keepRendering(world, tx, unlocked, content, made.pages));
  });
}

async function writeText(db: Queryable, files: FileStore, unlocked: Unlocked, path: string): Promise<void> {
  const writer = await createPageWriter(path);
  let found = 0;
  try {
    for await (const page of readText(db, files, unlocked)) {
      found += page.blocks.length;
      await writer.write(page);
    }
    await writer.end();
  } finally {
    await writer.close();
  }
  if (found === 0) throw new NothingToRender();
}

/** Stores the PDF, unless the document was unlocked again meanwhile or a later version was rendered. */
async function keepRendering(
  world: World,
  tx: Tx,
  { account_id, document_id, sha256, version }: Unlocked,
  content: FileContent,
  pages: Rendering['pages'],
): Promise<void> {
  const now = await lockUnlocked(tx, account_id, document_id);
  if (now === null || !now.sha256.equals(sha256) || (now.rendered_version ?? -1) >= version) return;
  await swapReferences(world, tx, now.rendered_sha256, content);
  await tx.query({
    name: 'keep_rendering',
    text: `update document_unlocks set rendered_sha256 = $2, rendered_version = $3, rendered_pages = $4
           where document_id = $1`,
    values: [document_id, content.sha256, version, JSON.stringify(pages.map(({ width, height }) => [width, height]))],
  });
}

/** Locks files in the order of their hashes, like all code that changes two references. */
async function swapReferences(world: World, tx: Tx, released: Buffer | null, kept: FileContent): Promise<void> {
  const keepsFirst = released === null || kept.sha256.compare(released) < 0;
  if (keepsFirst) await retainFile(tx, kept);
  if (released !== null) await releaseFile(tx, world, released);
  if (!keepsFirst) await retainFile(tx, kept);
}
