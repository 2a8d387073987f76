import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FormHandle, openFormHandle } from './form-handle.ts';
import type { Pdfium } from './load-pdfium.ts';

/** A PDF opened by PDFium, which reads from the file on demand. */
export interface OpenDocument {
  pdfium: Pdfium;
  handle: number;
  pageCount: number;
  /** Returns the handle of the document's form, opened once. 0 when PDFium can't read it. */
  form(): number;
  close(): void;
}

export type OpenFailure = 'encrypted' | 'damaged';

const errors: Record<number, OpenFailure> = { 4: 'encrypted', 5: 'encrypted' };

/** Opens a file without a password. Throws errors of the file system. */
export function openDocument(pdfium: Pdfium, path: string): OpenDocument | OpenFailure {
  const file = openSync(path, 'r');
  try {
    const document = openSource(pdfium, {
      length: fstatSync(file).size,
      read: (target, position) => readSync(file, target, 0, target.length, position),
    });
    if (typeof document === 'string') return fail(file, document);
    const close = () => {
      document.close();
      closeSync(file);
    };
    return { ...document, close };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Opens a PDF in memory without a password. The bytes must not change while it is open. */
export function openBytes(pdfium: Pdfium, bytes: Uint8Array): OpenDocument | OpenFailure {
  return openSource(pdfium, {
    length: bytes.length,
    read(target, position) {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return part.length;
    },
  });
}

/** Source of the bytes. `read` fills `target` from `position` and returns the number of bytes read. */
interface Source {
  length: number;
  read(target: Uint8Array, position: number): number;
}

function openSource(pdfium: Pdfium, source: Source): OpenDocument | OpenFailure {
  const access = fileAccess(pdfium, source);
  const handle = pdfium.FPDF_LoadCustomDocument(access.address, '');
  if (handle === 0) {
    const failure = errors[pdfium.FPDF_GetLastError()] ?? 'damaged';
    access.release();
    return failure;
  }
  let opened: FormHandle | undefined;
  return {
    pdfium,
    handle,
    pageCount: pdfium.FPDF_GetPageCount(handle),
    form() {
      opened ??= openFormHandle(pdfium, handle);
      return opened.form;
    },
    close() {
      opened?.close();
      pdfium.FPDF_CloseDocument(handle);
      access.release();
    },
  };
}

export class UnreadablePage extends Error {}

/** Loads a page (from 1) while `use` runs. Throws an `UnreadablePage` when the page cannot be loaded. */
export function withPage<Result>(document: OpenDocument, page: number, use: (handle: number) => Result): Result {
  const { pdfium, handle } = document;
  const loaded = page <= document.pageCount ? pdfium.FPDF_LoadPage(handle, page - 1) : 0;
  if (loaded === 0) throw new UnreadablePage(`page ${page} cannot be read`);
  try {
    return use(loaded);
  } finally {
    pdfium.FPDF_ClosePage(loaded);
  }
}

function fail(file: number, failure: OpenFailure): OpenFailure {
  closeSync(file);
  return failure;
}

/** Creates an `FPDF_FILEACCESS` structure: the length, a read callback and the callback's first argument. */
function fileAccess({ memory }: Pdfium, { length: size, read }: Source): { address: number; release(): void } {
  const callback = memory.addCallback((_param = 0, position = 0, to = 0, length = 0) => {
    try {
      return read(memory.bytes(to, length), position >>> 0) === length ? 1 : 0;
    } catch {
      return 0; // PDFium reports the file as damaged
    }
  }, 4);
  const address = memory.allocate(12);
  memory.setInt(address, size);
  memory.setInt(address + 4, callback);
  memory.setInt(address + 8, 0);
  return {
    address,
    release() {
      memory.free(address);
      memory.removeCallback(callback);
    },
  };
}
