import { expect, test } from 'vitest';
import type { Archive } from './archive.ts';
import { checkedEveryBytes, watchRoom } from './watch-room.ts';

test('the free space is checked again after so much content, of one file or several', async () => {
  const quarter = Buffer.alloc(checkedEveryBytes / 4);
  let taken = 0;
  const archive: Archive = {
    get bytes() {
      return taken;
    },
    async add(_path, content) {
      for await (const chunk of content) taken += chunk.length;
    },
    finish: async () => {},
    close: async () => {},
  };
  const checkedAt: number[] = [];
  const watched = watchRoom(archive, async () => {
    if (checkedAt.push(taken) === 2) throw new Error('the disk is full');
  });
  async function* quarters(count: number, more = '') {
    for (let n = 0; n < count; n += 1) yield quarter;
    yield Buffer.from(more);
  }
  const add = (content: AsyncIterable<Uint8Array>) => watched.add('a', content, { compress: false });
  await add(quarters(3));
  expect(checkedAt).toEqual([]);
  await add(quarters(1));
  expect(checkedAt).toEqual([checkedEveryBytes]);
  await add(quarters(3, 'more'));
  await expect(add(quarters(2))).rejects.toThrow('the disk is full');
  expect(checkedAt).toEqual([checkedEveryBytes, 2 * checkedEveryBytes + 4]);
  expect(watched.bytes).toBe(taken);
});
