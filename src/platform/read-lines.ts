const lineFeed = 0x0a;

/**
 * Reads lines of UTF-8 that end with a line feed, such as JSON lines. The lines of `node:readline` also end at U+2028 and
 * U+2029, which JSON has unescaped within strings.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield textOf([...parts, chunk.subarray(start, end)]);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield textOf(parts);
}

function textOf(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8');
}
