import type { PlanTable } from '../accounts/plans.ts';
import type { Database } from '../postgres/database.ts';
import type { FileStore } from '../world/files.ts';
import type { PdfReader } from '../world/pdf/pdf-reader.ts';
import type { PublicFetch } from '../world/public-fetch.ts';
import type { SecretBox } from '../world/secret-box.ts';
import type { World } from '../world/world.ts';
import type { LinkRules } from './sources/store-link.ts';

/** What importing needs of the process it runs in. */
export interface ImportMeans {
  world: World;
  database: Database;
  plans: PlanTable;
  files: FileStore;
  publicFetch: PublicFetch;
  secretBox: SecretBox;
  links: LinkRules;
  /** Root of the Drive v3 API. */
  apiUrl: string;
  isCloudEnabled: boolean;
  pdfReader: Pick<PdfReader, 'inspect'>;
  /** Null: this service has no unlocker. Documents are filed as they are, and can be unlocked later. */
  unlock: Unlock | null;
  /** Where files lie while they come in: on the disk of the file store, if that is local. */
  incomingDir: string;
  slots: DownloadSlots;
  /** Aborted when the process stops: what runs is left for another. */
  stopping: AbortSignal;
  /** What is running now: a process that stops waits until it has let go. */
  underWay: Set<Promise<unknown>>;
}

/** Unlocks a document that has just been filed, or resolved to, and records on its item what came of it. */
export type Unlock = (filed: { accountId: string; itemId: string; documentId: string }) => Promise<void>;

/** Bounds the downloads of one process, whoever asked for them. */
export interface DownloadSlots {
  /** Waits for a free one, for as long as `signal` allows. */
  use<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}
