import type { Archive } from './archive.ts';

/** Content after which the free space is checked again. */
export const checkedEveryBytes = 256 * 2 ** 20;

/**
 * Returns an archive that calls `assertRoom` again while it is written, because others write to the same disk. What it throws
 * ends the file that is being added.
 */
export function watchRoom(archive: Archive, assertRoom: () => Promise<void>): Archive {
  let unchecked = 0;
  const watch = async function* (content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      yield chunk;
      unchecked += chunk.length;
      if (unchecked < checkedEveryBytes) continue;
      unchecked = 0;
      await assertRoom();
    }
  };
  return {
    get bytes() {
      return archive.bytes;
    },
    add: (path, content, options) => archive.add(path, watch(content), options),
    finish: () => archive.finish(),
    close: () => archive.close(),
  };
}
