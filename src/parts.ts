import type { PlanTable } from './accounts/plans.ts';
import type { StreamDeps } from './audit-stream/stream-deps.ts';
import type { StreamMetrics } from './audit-stream/stream-metrics.ts';
import type { Config } from './config.ts';
import type { DomainDeps } from './custom-domain/domain-deps.ts';
import type { EsignDeps } from './esign/esign-deps.ts';
import type { CustomHosts } from './http/custom-host.ts';
import type { Health } from './http/health.ts';
import type { Metrics } from './http/metrics.ts';
import type { ImportDeps } from './imports/import-deps.ts';
import type { RunningQueue } from './jobs/job-queue.ts';
import type { PdfReader } from './pdf/pdf-reader.ts';
import type { FileStore } from './platform/files.ts';
import type { SecretBox } from './platform/secret-box.ts';
import type { World } from './platform/world.ts';
import type { Database } from './postgres/database.ts';
import type { DatabaseAddress } from './postgres/database-address.ts';
import type { HostResolver } from './public-fetch/public-fetch.ts';
import type { PdfWorker } from './sealing/pdf-worker.ts';
import type { SsoDeps } from './sso/sso-deps.ts';
import type { Unlocker } from './unlock/convert/create-unlocker.ts';
import type { WebhookMetrics } from './webhooks/webhook-metrics.ts';

/** What a process opens once and its roles share. */
export interface Parts {
  config: Config;
  world: World;
  plans: PlanTable;
  secretKey: Buffer;
  secretBox: SecretBox;
  databaseAddress: DatabaseAddress;
  database: Database;
  queue: RunningQueue;
  files: FileStore;
  pdf: PdfWorker;
  pdfReader: PdfReader;
  /** Certificates (DER) of the authorities whose time-stamps are trusted. */
  timeStampAnchors: readonly Uint8Array[];
  unlocker: Unlocker;
  esign: EsignDeps;
  sso: SsoDeps;
  domains: DomainDeps;
  customHosts: CustomHosts;
  auditStream: StreamDeps;
  imports: ImportDeps;
  health: Health;
  metrics: Metrics;
  webhookMetrics: WebhookMetrics;
  streamMetrics: StreamMetrics;
  hostResolver: HostResolver;
  /** The public origin; with PORT=0 it is known only once the server listens. */
  origins: { current: string };
}

/** Started parts in order; they are stopped in reverse. Each is told how long it may take. */
export type Stops = Array<(msLeft: number) => Promise<unknown>>;
