import type { TSchema } from 'typebox';
import type { NewFile } from '../create-import.ts';
import type { startableSources } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import type { RunningItem } from '../import-file.ts';
import type { OpenItem } from '../open-items.ts';
import type { SourceFile } from './source-file.ts';
import type { LinkRules } from './store-link.ts';

/** The sources that POST /imports downloads files from. */
export type FileSourceName = Exclude<(typeof startableSources)[number], 'esign_vendor'>;

/** A checked request for files. Each source adds what it needs. */
export interface FileRequest {
  source: FileSourceName;
  files: readonly object[];
  unlockDoc: boolean;
}

/** A source of files. `sources.ts` has one row for each. */
export interface FileSource<Request extends FileRequest = FileRequest> {
  /** The properties of one of the request's `files`, and those next to `files`, for the API reference. */
  fileProperties: Record<string, TSchema>;
  properties: Record<string, TSchema>;
  /** Whether the source gives the sizes of files before their download. */
  declaresSizes: boolean;
  /** Checks a request body. Throws the error code of the first invalid property. */
  read(body: unknown, links: LinkRules): Request;
  /**
   * Describes the files before any download, with the storage that each must reserve. `bytesLeft`: the storage that is
   * left. Throws if the source refuses the whole request.
   */
  plan(deps: ImportDeps, accountId: string, request: Request, bytesLeft: number): Promise<NewFile[]>;
  /** Opens the files of open items from a repeated request. The import's own data may be unreadable. */
  reopen(deps: ImportDeps, request: Request, open: readonly OpenItem[], signal: AbortSignal): Promise<SourceFile[]>;
  /**
   * Encrypts the link of an item from a repeated request, so that another process can continue the item. Null for sources without
   * links.
   */
  encryptLink(deps: ImportDeps, request: Request, item: OpenItem): Buffer | null;
  /** Asks for the sizes of reopened files, to reserve no more than needed. Null if `reopen` has told them. */
  sizes: ((deps: ImportDeps, files: readonly SourceFile[]) => Promise<number[]>) | null;
  /** Opens the items of an import whose process died. Null if only a repeated request can continue them. */
  resume: ((deps: ImportDeps, open: readonly OpenItem[]) => RunningItem[]) | null;
}

/** Returns the sizes to reserve: the declared one, or else the largest accepted one. A file that declares more fails. */
export function reservationOf({ content }: SourceFile, declaredBytes: number | null): number {
  if (content.kind === 'fails') return 0;
  const bytes = declaredBytes ?? content.bytesMax;
  return bytes > content.bytesMax ? 0 : bytes;
}
