import type { PlanTable } from '../accounts/plans.ts';
import type { EsignDeps } from '../esign/esign-deps.ts';
import type { EsignVendor } from '../esign/vendor/vendor.ts';
import type { PdfReader } from '../pdf/pdf-reader.ts';
import type { FileStore } from '../platform/files.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { PublicFetch } from '../public-fetch/public-fetch.ts';
import type { InTurn } from './in-turn.ts';
import type { LinkRules } from './sources/store-link.ts';

/** What imports need from the process they run in. */
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
  /** The accounts' connections to the e-signature vendor, and its API. */
  esign: EsignDeps;
  vendor: EsignVendor;
  pdfReader: Pick<PdfReader, 'inspect'>;
  /** Null if this service has no unlocker. Documents are then stored as they are and can be unlocked later. */
  unlock: UnlockHook | null;
  /** The directory for incoming files, on the file store's disk if the store is local. */
  incomingDir: string;
  slots: DownloadSlots;
  /** The outcomes of an account's files are recorded in turn. */
  inTurn: InTurn;
  limits: ImportLimits;
  /** Aborted soon after a stopping process takes no more requests: those that wait for files are answered with what is in. */
  answering: AbortSignal;
  /** Aborted when the process stops. Another process continues what was running. */
  stopping: AbortSignal;
  /** The running imports and uploads. A stopping process waits for them. */
  underWay: Set<Promise<unknown>>;
}

export interface ImportLimits {
  /** Time limit of each step in the database, so that a client learns within 5 s that nothing was started. */
  beginMsMax: number;
  /** POST /imports answers after this long at the latest. The remaining files continue in the background. */
  answerMsMax: number;
  /** How long the sizes of all files of a request are asked for. Files without an answer reserve the largest size. */
  sizesMsMax: number;
  /** How long a file is retried while our own store or disk fails, or the PDF reader is busy. */
  storageMsMax: number;
}

/** What uploads need: imports whose files are sent to us instead of downloaded. */
export type UploadDeps = Pick<
  ImportDeps,
  'world' | 'database' | 'plans' | 'files' | 'pdfReader' | 'unlock' | 'incomingDir' | 'inTurn' | 'underWay'
>;

/** Unlocks imported documents and records the outcome on their import items. */
export interface UnlockHook {
  /**
   * Enqueues the unlocking of a document, if needed, in the transaction that ends its item. `sha256`: the imported file. A document
   * that has got another file since is not unlocked. Null: it can have no other.
   */
  enqueue(
    tx: Tx,
    stored: { accountId: string; documentId: string; itemId: string; sha256: Buffer | null },
  ): Promise<void>;
  /** Waits until no item of the import waits to be unlocked, for at most 30 seconds. */
  settled(importId: string, signal: AbortSignal): Promise<void>;
}

/** Limits the concurrent downloads of one process, in all and per account. */
export interface DownloadSlots {
  /** Runs `work` in a slot of the account. Waits for a free one until `signal` is aborted. */
  use<Result>(account: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}
