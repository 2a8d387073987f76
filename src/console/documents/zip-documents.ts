import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { pdfKey } from '../../documents/completed-file.ts';
import type { Document } from '../../documents/document.ts';
import type { FileStore } from '../../platform/files.ts';
import type { Language } from '../../platform/language.ts';
import type { Queryable } from '../../postgres/database.ts';
import { uniqueFileName } from './unique-file-name.ts';

/** The signed PDF of a document. */
export interface SignedFile {
  title: string;
  key: string;
  completedAt: Date;
}

/** Splits documents into those with a signed PDF and the titles of the others. */
export async function findSignedFiles(
  db: Queryable,
  documents: readonly Document[],
): Promise<{ signed: SignedFile[]; others: string[] }> {
  const signed: SignedFile[] = [];
  const others: string[] = [];
  for (const document of documents) {
    const { title, completed_at: completedAt } = document;
    const { key } = completedAt === null ? { key: null } : await pdfKey(db, document);
    if (key === null || completedAt === null) others.push(title);
    else signed.push({ title, key, completedAt: new Date(completedAt) });
  }
  return { signed, others };
}

const lists = {
  en: { name: 'Not included.txt', text: 'These documents have no signed PDF yet:' },
  es: { name: 'No incluidos.txt', text: 'Estos documentos aún no tienen un PDF firmado:' },
} satisfies Record<Language, object>;

/**
 * Writes signed PDFs into a ZIP file while it is sent. One file is open at a time, and nothing is held in memory. PDFs are not
 * compressed again. A list names the documents without a signed PDF.
 */
export function zipFiles(
  files: FileStore,
  { signed, others, language }: { signed: readonly SignedFile[]; others: readonly string[]; language: Language },
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const names = new Set<string>();
  let open: Readable | null = null;
  // yazl reports a failed file here. The answer is cut off, so that nobody takes it for the whole file.
  (zip as unknown as NodeJS.EventEmitter).on('error', (error: Error) => output.destroy(error));
  output.on('close', () => open?.destroy());
  for (const { title, key, completedAt } of signed) {
    const name = uniqueFileName(title, 'pdf', names);
    zip.addReadStreamLazy(name, { compress: false, mtime: completedAt }, (found) => {
      files.get(key).then(
        (file) => {
          if (file === null) return found(new Error(`the file store has no ${key}`), Readable.from([]));
          open = file.stream;
          found(null, file.stream);
        },
        (error: Error) => found(error, Readable.from([])),
      );
    });
  }
  if (others.length > 0) {
    const { name, text } = lists[language];
    zip.addBuffer(Buffer.from(`${text}\r\n\r\n${others.join('\r\n')}\r\n`), name, { compress: false });
  }
  zip.end();
  return output;
}
