import { setTimeout as sleep } from 'node:timers/promises';
import { fileKey } from '../documents/stored-files.ts';
import type { PdfReader } from '../pdf/pdf-reader.ts';
import type { FormField } from '../pdf/pdfium/form-fields.ts';
import type { PageSize } from '../pdf/pdfium/inspect-pdf.ts';
import type { PageText } from '../pdf/pdfium/page-text.ts';
import type { PageImage } from '../pdf/pdfium/render-page.ts';
import { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import type { LocalCopies } from '../platform/local-copies.ts';
import type { World } from '../platform/world.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { SigningError } from './signing-error.ts';

export interface ShownFile {
  /** In hex. */
  sha256: string;
  /** The company in whose turn its pages are made. */
  accountId: string;
}

/** The pages of attached and sealed files as images and text. Each is made once and cached for all viewers. */
export interface FilePages {
  /** Throws `page_unavailable`. Pages count from 1. */
  image(file: ShownFile, page: number, width: number): Promise<PageImage>;
  text(file: ShownFile, page: number): Promise<PageText>;
  /** Returns the fields of the file's form that people fill in. Throws `page_unavailable`. */
  formFields(file: ShownFile): Promise<FormField[]>;
  /** Returns the size of each page in points. Throws `page_unavailable`. */
  sizes(file: ShownFile): Promise<PageSize[]>;
  /** The same, but null if the file can't be read, or not soon enough for a page that someone waits for. */
  sizesSoon(file: ShownFile): Promise<PageSize[] | null>;
}

export const pageWidths = [600, 900, 1200, 1800];
/** Enough for about 300 pages. */
const imageBytesMax = 48 * 2 ** 20;
const textBytesMax = 8 * 2 ** 20;
/** Sizes of pages over all files. One takes about 40 bytes. */
const sizesMax = 100_000;
const formBytesMax = 8 * 2 ** 20;
const sizesMs = 3000;
const failedMs = 60_000;
const busySeconds = 2;

export function createFilePages(world: World, copies: LocalCopies, reader: PdfReader): FilePages {
  const images = createBoundedCache<PageImage>(imageBytesMax, ({ bytes }) => bytes.length);
  const texts = createBoundedCache<PageText>(textBytesMax, ({ lines }) => 200 + lines.length * 500);
  const sizes = createBoundedCache<PageSize[]>(sizesMax, (pages) => pages.length);
  const forms = createBoundedCache<FormField[]>(formBytesMax, (fields) => 200 + 2 * JSON.stringify(fields).length);
  const failed = new Map<string, number>();

  /** Doesn't retry a page that crashed its process for some time, because it would crash again for every viewer. */
  async function make<Made>(name: string, sha256: string, read: (path: string) => Promise<Made>): Promise<Made> {
    const now = world.clock.now().getTime();
    const failedAt = failed.get(name);
    if (failedAt !== undefined && now - failedAt < failedMs) throw new SigningError('page_unavailable');
    try {
      const made = await copies.use(fileKey(sha256), read);
      failed.delete(name);
      return made;
    } catch (error) {
      if (!(error instanceof PdfWorkerError)) throw error;
      const isOurs = error.failure === 'busy' || error.failure === 'closed';
      if (!isOurs) remember(failed, name, now);
      throw new SigningError('page_unavailable', {
        cause: error,
        ...(isOurs ? { retryAfterSeconds: busySeconds } : {}),
      });
    }
  }

  function readSizes({ sha256, accountId }: ShownFile): Promise<PageSize[]> {
    const read = async (path: string) => {
      const found = await reader.inspect(path, accountId);
      if (!found.ok) throw new PdfWorkerError('failed', `the pages of ${sha256} cannot be read: ${found.reason}`);
      return found.pages;
    };
    return sizes.get(sha256, () => make(`${sha256} sizes`, sha256, read));
  }

  return {
    image({ sha256, accountId }, page, width) {
      const name = `${sha256} ${page} ${width}`;
      return images.get(name, () => make(name, sha256, (path) => reader.renderPage(path, page, width, accountId)));
    },
    text({ sha256, accountId }, page) {
      const name = `${sha256} ${page}`;
      return texts.get(name, () => make(name, sha256, (path) => reader.pageText(path, page, accountId)));
    },
    formFields({ sha256, accountId }) {
      const name = `${sha256} form`;
      return forms.get(name, () => make(name, sha256, (path) => reader.formFields(path, accountId)));
    },
    sizes: readSizes,
    async sizesSoon(file) {
      try {
        const found = readSizes(file);
        found.catch(() => {}); // it may fail after the wait
        return await Promise.race([found, sleep(sizesMs, null, { ref: false })]);
      } catch (error) {
        world.log.warn('the pages of a sealed PDF are not shown', { sha256: file.sha256, cause: error });
        return null;
      }
    },
  };
}

const failuresMax = 1000;

function remember(failed: Map<string, number>, name: string, now: number): void {
  const [oldest] = failed.keys();
  if (oldest !== undefined && failed.size >= failuresMax) failed.delete(oldest);
  failed.set(name, now);
}
