import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PdfReader } from '../pdf/pdf-reader.ts';
import { type PdfRefusal, pagesMax } from '../pdf/pdfium/inspect-pdf.ts';
import type { FileStore } from '../platform/files.ts';
import { withTemporaryDirectory } from '../platform/temporary-directory.ts';
import { withLocalFile } from '../platform/with-local-file.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { fileBytesMax, fileNameLengthMax } from './attach-file.ts';
import { type DocumentPart, titleOf } from './document-part.ts';
import type { NewFile } from './new-file.ts';
import { type FileContent, fileKey, storeFile } from './stored-files.ts';

/** `signed`: joining would break the signatures of the file. `too_large`: the files are too large together. */
export type PartRefusal = PdfRefusal | 'signed' | 'too_large';

/** A file that can't be joined with the others. */
export class PartRefusedError extends Error {
  readonly reason: PartRefusal;
  /** The name of the file. Null when no single one is to blame. */
  readonly part: string | null;

  constructor(reason: PartRefusal, part: string | null) {
    super(`the file can't be joined: ${reason}`);
    this.reason = reason;
    this.part = part;
  }
}

export interface JoinDeps {
  world: World;
  db: Queryable;
  files: FileStore;
  pdfReader: PdfReader;
}

/** A stored file to join, which has its place among the others only afterwards. */
export type StoredPart = FileContent & Pick<DocumentPart, 'name' | 'page_count'>;

export interface JoinedParts<Part> {
  file: NewFile;
  /** The parts in their new order, each with the one that it was made from. */
  parts: Array<{ part: DocumentPart; from: Part }>;
}

/**
 * Joins stored files in the given order into one, and stores it. One file alone stays as it is. Nothing refers to the result yet:
 * unless a transaction retains it within an hour, it is removed. Throws a `PartRefusedError`.
 */
export async function joinParts<Part extends StoredPart>(
  deps: JoinDeps,
  accountId: string,
  given: readonly Part[],
): Promise<JoinedParts<Part>> {
  const parts = withPages(given);
  return withLocalFiles(deps.files, given, async (paths) => {
    const [only] = given;
    if (given.length === 1 && only !== undefined) {
      return {
        file: { ...(await inspect(deps, accountId, paths[0] as string, only.name)), ...contentOf(only) },
        parts,
      };
    }
    return withTemporaryDirectory(async (directory) => {
      const output = join(directory, 'joined.pdf');
      const titles = parts.map(({ from }, index) => ({
        path: paths[index] as string,
        title: titleOf(from.name),
        pageCount: from.page_count,
      }));
      const joining = await deps.pdfReader.join(titles, output, accountId);
      if (!joining.ok) {
        if (joining.part === null) throw new PartRefusedError('too_complex', null);
        throw new PartRefusedError(joining.reason, given[joining.part]?.name ?? null);
      }
      const name = joinedName(given.map((part) => part.name));
      const found = await inspect(deps, accountId, output, null);
      const content = await contentAt(output);
      if (content.bytes > fileBytesMax) throw new PartRefusedError('too_large', null);
      if (found.pages.length !== given.reduce((sum, part) => sum + part.page_count, 0)) {
        throw new PartRefusedError('damaged', null);
      }
      await storeFile(deps.world, deps.db, deps.files, content, output);
      return { file: { ...found, ...content, name }, parts };
    });
  });
}

/** Throws a `PartRefusedError` when files can't be joined because of their size, number of pages or signatures. */
export function assertJoinable(parts: readonly StoredPart[], signed: string | null): void {
  if (parts.length === 1) return;
  if (signed !== null) throw new PartRefusedError('signed', signed);
  const sum = (of: (part: StoredPart) => number) => parts.reduce((total, part) => total + of(part), 0);
  if (sum(({ bytes }) => bytes) > fileBytesMax) throw new PartRefusedError('too_large', null);
  if (sum(({ page_count }) => page_count) > pagesMax) throw new PartRefusedError('too_many_pages', null);
}

/** Returns the name of a joined file: the names of its parts, as many as fit. */
function joinedName(names: readonly string[]): string {
  const name = [...names.join(', ')];
  return name.length <= fileNameLengthMax ? name.join('') : `${name.slice(0, fileNameLengthMax - 1).join('')}…`;
}

function withPages<Part extends StoredPart>(given: readonly Part[]): JoinedParts<Part>['parts'] {
  let first = 1;
  return given.map((from, index) => {
    const { name, page_count } = from;
    const part = { ...contentOf(from), name, page_count, position: index + 1, first_page: first };
    first += page_count;
    return { part, from };
  });
}

function contentOf({ sha256, bytes }: FileContent): FileContent {
  return { sha256, bytes };
}

async function inspect({ pdfReader }: JoinDeps, accountId: string, path: string, name: string | null) {
  const found = await pdfReader.inspect(path, accountId);
  if (!found.ok) throw new PartRefusedError(found.reason, name);
  return { pages: found.pages, isSigned: found.isSigned, name: name ?? '' };
}

async function contentAt(path: string): Promise<FileContent> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { sha256: hash.digest(), bytes };
}

/** Calls `use` with the paths of stored files, which exist until it ends. */
async function withLocalFiles<Result>(
  files: FileStore,
  contents: readonly FileContent[],
  use: (paths: readonly string[]) => Promise<Result>,
  paths: readonly string[] = [],
): Promise<Result> {
  const next = contents[paths.length];
  if (next === undefined) return use(paths);
  return withLocalFile(files, fileKey(next.sha256.toString('hex')), (path) =>
    withLocalFiles(files, contents, use, [...paths, path]),
  );
}
