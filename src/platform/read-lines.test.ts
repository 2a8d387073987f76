import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

test.for([1, 2, 3, 100])('lines in chunks of %d bytes', async (size) => {
  const bytes = Buffer.from('one\n\nt\u2028w\u{1f3e0}\r\nthree');
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  expect(await Readable.from(readLines(chunks())).toArray()).toEqual(['one', '', 't\u2028w\u{1f3e0}\r', 'three']);
});
