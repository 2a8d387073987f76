import type { PlanTable } from '../accounts/plans.ts';
import type { EsignDeps } from '../esign/esign-deps.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { EsignVendor } from '../world/esign-vendor.ts';
import type { FileStore } from '../world/files.ts';
import type { PdfReader } from '../world/pdf/pdf-reader.ts';
import type { PublicFetch } from '../world/public-fetch.ts';
import type { SecretBox } from '../world/secret-box.ts';
import type { World } from '../world/world.ts';
import type { LinkRules } from './sources/store-link.ts';

/** What importing needs of the process it runs in. */
export interface ImportDeps {
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
  /** Companies' connections to the e-signature vendor, and its API. */
  esign: EsignDeps;
  vendor: EsignVendor;
  pdfReader: Pick<PdfReader, 'inspect'>;
  /** Null: this service has no unlocker. Documents are filed as they are, and can be unlocked later. */
  unlock: UnlockHook | null;
  /** Where files lie while they come in: on the disk of the file store, if that is local. */
  incomingDir: string;
  slots: DownloadSlots;
  limits: ImportLimits;
  /** Aborted when the process stops: what runs is left for another. */
  stopping: AbortSignal;
  /** What is running now: a process that stops waits until it has let go. */
  underWay: Set<Promise<unknown>>;
}

export interface ImportLimits {
  /** POST /imports answers after this long at the latest: what is not in by then goes on in the background. */
  answerMsMax: number;
  /** How long a file is tried again while our own store or disk fails. */
  storageMsMax: number;
}

/** What it takes to take in files that are sent, instead of fetched. */
export type UploadDeps = Pick<
  ImportDeps,
  'world' | 'database' | 'plans' | 'files' | 'pdfReader' | 'unlock' | 'incomingDir' | 'underWay'
>;

/** Unlocks the documents that items are filed as, or resolve to, and records on the items what came of it. */
export interface UnlockHook {
  /** In the transaction that files an item: if there is anything to do for its document, it will be done. */
  enqueue(tx: Tx, stored: { accountId: string; documentId: string }): Promise<void>;
  /** Waits until no item of the import is pending, but not for longer than a client would. */
  settled(importId: string, signal: AbortSignal): Promise<void>;
}

/** Bounds the downloads of one process, whoever asked for them. */
export interface DownloadSlots {
  /** Waits for a free one, for as long as `signal` allows. */
  use<Result>(account: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}
