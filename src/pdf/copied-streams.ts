/**
 * A hybrid file has a table of its objects for old readers, and a stream for others that the table refers to (ISO 32000-1, 7.5.8.4).
 * Some programs that add to such a file, for example a signature, copy the reference into the table of their own update. Then the
 * stream is older than the table. libpdf prefers the stream all the same, and so reads objects as they were before the update.
 */
const reference = '/XRefStm';

/** Whether libpdf reads objects of a file as they were before an update. */
export function hasCopiedStream(file: Uint8Array): boolean {
  return copiesIn(bufferOf(file)).length > 0;
}

/** Returns a file of the same length without the copied references, which libpdf reads as other readers do. */
export function withoutCopiedStreams(file: Uint8Array): Uint8Array {
  const copies = copiesIn(bufferOf(file));
  if (copies.length === 0) return file;
  const changed = Buffer.from(file);
  for (const at of copies) changed.write('/Ignored', at, 'latin1');
  return changed;
}

/** Returns the offsets of references to a stream that an earlier part of the file refers to. */
function copiesIn(file: Buffer): number[] {
  const streams = new Set<string>();
  const copies: number[] = [];
  for (let at = file.indexOf(reference); at !== -1; at = file.indexOf(reference, at + 1)) {
    const end = at + reference.length;
    const [, stream = ''] = /^\s*(\d{1,10})\b/.exec(file.toString('latin1', end, end + 30)) ?? [];
    if (stream !== '' && streams.has(stream)) copies.push(at);
    streams.add(stream);
  }
  return copies;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
