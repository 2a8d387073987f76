import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import startEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions, type EncodeOptions } from '@jsquash/webp/meta.js';

/** An image as RGBA bytes. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

interface Encoder {
  encode(data: Uint8ClampedArray, width: number, height: number, options: EncodeOptions): Uint8Array | null;
}

/** Text stays sharp at this quality. A higher method takes twice as long and saves few bytes. */
const options: EncodeOptions = { ...defaultOptions, quality: 82, method: 2 };

let loading: Promise<Encoder> | undefined;

export async function encodeWebp({ data, width, height }: Pixels): Promise<Uint8Array> {
  loading ??= load();
  const encoded = (await loading).encode(data, width, height, options);
  if (encoded === null) throw new Error(`an image of ${width} × ${height} pixels cannot be encoded`);
  return encoded;
}

/** Loads the encoder from its file. By default the package uses `fetch`, which only works in browsers. */
async function load(): Promise<Encoder> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm')));
  return startEncoder({ wasmBinary, noInitialRun: true });
}
