import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { Archive } from './archive.ts';

/**
 * Writes a ZIP archive into a file (PKWARE APPNOTE 6.3.9), with ZIP64 where sizes, offsets or the number of files need it. The
 * directory at the end of the archive is collected in a second file, so memory does not grow with the number of files.
 */
export interface ZipOptions {
  /** Shown as the time of every file. */
  modifiedAt: Date;
  /** A path for the second file. It stays there after `finish`. */
  directoryPath: string;
  /** Where in `file` the archive starts. Offsets are counted from the start of the file. */
  startAt?: number;
}

const max32 = 0xffff_ffff;
const max16 = 0xffff;
/** Version 4.5 of the format: the first with ZIP64. */
const version = 45;
const madeByUnix = 3 << 8;
/** Names are UTF-8. */
const utf8Names = 0x0800;
const regularFile = 0o100_600;
const zip64Tag = 0x0001;

interface Entry {
  name: Buffer;
  method: 0 | 8;
  crc: number;
  /** Bytes in the archive. */
  packed: number;
  /** Bytes of the file. */
  size: number;
  offset: number;
}

export async function createZipArchive(
  file: FileHandle,
  { modifiedAt, directoryPath, startAt = 0 }: ZipOptions,
): Promise<Archive> {
  const directory = await open(directoryPath, 'wx', 0o600);
  let position = startAt;
  let entries = 0;

  const append = async (bytes: Uint8Array) => {
    await writeAt(file, bytes, position);
    position += bytes.length;
  };

  return {
    get bytes() {
      return position - startAt;
    },

    async add(path, content, { compress }) {
      const entry: Entry = {
        name: Buffer.from(path),
        method: compress ? 8 : 0,
        crc: 0,
        packed: 0,
        size: 0,
        offset: position,
      };
      const measure = async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          entry.crc = crc32(chunk, entry.crc);
          entry.size += chunk.length;
          yield chunk;
        }
      };
      const take = async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) await append(chunk);
      };
      try {
        // Sizes and checksum are known at the end, and then overwrite these.
        await append(localHeader(entry, modifiedAt));
        const dataAt = position;
        if (compress) await pipeline(content, measure, createDeflateRaw(), take);
        else await pipeline(content, measure, take);
        entry.packed = position - dataAt;
        await writeAt(file, localHeader(entry, modifiedAt), entry.offset);
        // Unlike a write, it goes on until all bytes are written.
        await directory.appendFile(centralHeader(entry, modifiedAt));
        entries += 1;
      } catch (error) {
        position = entry.offset;
        await file.truncate(position);
        throw error;
      }
    },

    async finish() {
      await directory.close();
      const directoryAt = position;
      for await (const chunk of createReadStream(directoryPath)) await append(chunk as Buffer);
      await append(endOfArchive(entries, directoryAt, position - directoryAt));
      await file.sync();
    },

    close: () => directory.close(),
  };
}

/** A write may take only a part of the bytes, when the disk is nearly full. */
async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Always has room for long sizes, because they are unknown when it is first written. */
function localHeader({ name, method, crc, packed, size }: Entry, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(30 + name.length + 20);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(utf8Names, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(dosTime(modifiedAt), 10);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(max32, 18);
  header.writeUInt32LE(max32, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(20, 28);
  name.copy(header, 30);
  writeZip64(header, 30 + name.length, [size, packed]);
  return header;
}

function centralHeader({ name, method, crc, packed, size, offset }: Entry, modifiedAt: Date): Buffer {
  const long = [size, packed, offset].filter((value) => value >= max32);
  const extraLength = long.length === 0 ? 0 : 4 + 8 * long.length;
  const header = Buffer.alloc(46 + name.length + extraLength);
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(madeByUnix | version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(utf8Names, 8);
  header.writeUInt16LE(method, 10);
  header.writeUInt32LE(dosTime(modifiedAt), 12);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(Math.min(packed, max32), 20);
  header.writeUInt32LE(Math.min(size, max32), 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extraLength, 30);
  header.writeUInt32LE(regularFile * 2 ** 16, 38);
  header.writeUInt32LE(Math.min(offset, max32), 42);
  name.copy(header, 46);
  if (long.length > 0) writeZip64(header, 46 + name.length, long);
  return header;
}

function writeZip64(header: Buffer, at: number, values: readonly number[]): void {
  header.writeUInt16LE(zip64Tag, at);
  header.writeUInt16LE(8 * values.length, at + 2);
  for (const [n, value] of values.entries()) header.writeBigUInt64LE(BigInt(value), at + 4 + 8 * n);
}

function endOfArchive(entries: number, directoryAt: number, directoryBytes: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entries, max16), 8);
  end.writeUInt16LE(Math.min(entries, max16), 10);
  end.writeUInt32LE(Math.min(directoryBytes, max32), 12);
  end.writeUInt32LE(Math.min(directoryAt, max32), 16);
  if (entries < max16 && directoryAt < max32 && directoryBytes < max32) return end;

  const end64 = Buffer.alloc(56 + 20);
  end64.writeUInt32LE(0x0606_4b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(madeByUnix | version, 12);
  end64.writeUInt16LE(version, 14);
  for (const at of [24, 32]) end64.writeBigUInt64LE(BigInt(entries), at);
  end64.writeBigUInt64LE(BigInt(directoryBytes), 40);
  end64.writeBigUInt64LE(BigInt(directoryAt), 48);
  end64.writeUInt32LE(0x0706_4b50, 56);
  end64.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

/** Returns time (low half) and date (high half) as MS-DOS stores them, here in UTC. Seconds are even. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return date * 2 ** 16 + time;
}
