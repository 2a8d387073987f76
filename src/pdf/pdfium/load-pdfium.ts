import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** PDFium in WebAssembly, with access to its memory. Many functions take or return addresses in that memory. */
export interface Pdfium extends Omit<WrappedPdfiumModule, 'pdfium'> {
  memory: PdfiumMemory;
}

export interface PdfiumMemory {
  allocate(bytes: number): number;
  free(address: number): void;
  /** Returns a view of the memory. It is valid until the next call into PDFium, which may replace the memory to grow it. */
  bytes(address: number, length: number): Uint8Array;
  setInt(address: number, value: number): void;
  int(address: number): number;
  float(address: number): number;
  double(address: number): number;
  /** Registers a callback that PDFium can call. It takes `count` integers and returns one. */
  addCallback(callback: (...integers: number[]) => number, count: number): number;
  removeCallback(address: number): void;
}

/**
 * Functions called for every character of a page. They only take and return numbers, so they are called without the
 * wrappers, whose checks take longer than the call.
 */
const directFunctions = [
  'FPDFText_GetUnicode',
  'FPDFText_IsGenerated',
  'FPDFText_GetTextObject',
  'FPDFText_GetCharBox',
] as const;

interface Exports extends Pick<WrappedPdfiumModule, (typeof directFunctions)[number]> {
  malloc(bytes: number): number;
  free(address: number): void;
  memory: { buffer: ArrayBuffer };
}

let loading: Promise<Pdfium> | undefined;

/** Loads PDFium once per process. Replacing the process frees any leaked memory. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= loadFreshPdfium();
  return loading;
}

/** Loads a new instance, without state from earlier renderings. Takes about 30 ms. */
export async function loadFreshPdfium(): Promise<Pdfium> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const { pdfium: runtime, ...functions } = await init({ wasmBinary: new Uint8Array(wasm).buffer });
  functions.PDFiumExt_Init();
  const exports = runtime.wasmExports as unknown as Exports;
  const direct = Object.fromEntries(directFunctions.map((name) => [name, exports[name]]));
  return { ...functions, ...direct, memory: memoryOf(exports, runtime) };
}

interface Runtime {
  addFunction(callback: (...integers: number[]) => number, signature: string): number;
  removeFunction(address: number): void;
}

function memoryOf({ malloc, free, memory }: Exports, runtime: unknown): PdfiumMemory {
  const { addFunction, removeFunction } = runtime as Runtime;
  let latest = new DataView(memory.buffer);
  const view = () => {
    if (latest.buffer !== memory.buffer) latest = new DataView(memory.buffer);
    return latest;
  };
  return {
    allocate(bytes) {
      const address = malloc(bytes);
      if (address === 0) throw new Error(`PDFium has no ${bytes} bytes left`);
      return address;
    },
    free,
    bytes: (address, length) => new Uint8Array(memory.buffer, address, length),
    setInt: (address, value) => view().setInt32(address, value, true),
    int: (address) => view().getInt32(address, true),
    float: (address) => view().getFloat32(address, true),
    double: (address) => view().getFloat64(address, true),
    addCallback: (callback, count) => addFunction(callback, 'i'.repeat(count + 1)),
    removeCallback: removeFunction,
  };
}
