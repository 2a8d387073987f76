import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** PDFium in WebAssembly, with its memory within reach. A number that a function takes or gives may be an address in it. */
export interface Pdfium extends Omit<WrappedPdfiumModule, 'pdfium'> {
  memory: PdfiumMemory;
}

export interface PdfiumMemory {
  allocate(bytes: number): number;
  free(address: number): void;
  /** A window on the memory. The next call into PDFium may make it stale, for memory that grows is replaced. */
  bytes(address: number, length: number): Uint8Array;
  setInt(address: number, value: number): void;
  int(address: number): number;
  float(address: number): number;
  double(address: number): number;
  /** Lets PDFium call a function of ours that takes integers and gives one. */
  addCallback(callback: (...integers: number[]) => number, count: number): number;
  removeCallback(address: number): void;
}

/**
 * Asked of every character of a page. They take and give nothing but numbers, so that WebAssembly can be called directly:
 * the wrappers look each function up and look at each argument, which takes longer than the call.
 */
const askedOfCharacters = [
  'FPDFText_GetUnicode',
  'FPDFText_IsGenerated',
  'FPDFText_GetTextObject',
  'FPDFText_GetCharBox',
] as const;

interface Exports extends Pick<WrappedPdfiumModule, (typeof askedOfCharacters)[number]> {
  malloc(bytes: number): number;
  free(address: number): void;
  memory: { buffer: ArrayBuffer };
}

let loading: Promise<Pdfium> | undefined;

/** One instance in a process: of what it may leak, replacing the process gets rid. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= loadFreshPdfium();
  return loading;
}

/** Loads another instance, which remembers nothing of what was drawn before. Takes about 30 ms. */
export async function loadFreshPdfium(): Promise<Pdfium> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const { pdfium: runtime, ...functions } = await init({ wasmBinary: new Uint8Array(wasm).buffer });
  functions.PDFiumExt_Init();
  const exports = runtime.wasmExports as unknown as Exports;
  const direct = Object.fromEntries(askedOfCharacters.map((name) => [name, exports[name]]));
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
