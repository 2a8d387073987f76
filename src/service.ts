import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlanTable } from './accounts/plans.ts';
import { openStreams } from './audit-stream/open-streams.ts';
import { createStreamMetrics } from './audit-stream/stream-metrics.ts';
import type { Config } from './config.ts';
import { createServedDomains } from './custom-domain/served-domains.ts';
import { createDemo, type DemoKeys } from './demo.ts';
import { OperatorError } from './errors.ts';
import { openEsign } from './esign/open-esign.ts';
import { createHealth } from './http/health.ts';
import { localOrigin } from './http/local-origin.ts';
import { createMetrics, showBuild, showConnections } from './http/metrics.ts';
import { startOperatorServer } from './http/operator-server.ts';
import type { ImportLimits } from './imports/import-deps.ts';
import { createImportMetrics } from './imports/import-metrics.ts';
import { openImports } from './imports/open-imports.ts';
import { createUnlockHook } from './imports/unlock-items.ts';
import { createJobMetrics } from './jobs/job-metrics.ts';
import { migrateQueue, startQueue } from './jobs/job-queue.ts';
import { checkCertificate, openPdf } from './open-pdf.ts';
import type { Parts, Stops } from './parts.ts';
import { createPdfReader, type PdfReader } from './pdf/pdf-reader.ts';
import { certificateWarningDays, daysLeft } from './pdf/signatures/days-left.ts';
import { readTrustAnchors } from './pdf/signatures/read-trust-anchors.ts';
import { readBuild } from './platform/build.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { openFileStore } from './platform/files.ts';
import { createNewId } from './platform/ids.ts';
import { createLog, type Log } from './platform/log.ts';
import { makeDirectory } from './platform/make-directory.ts';
import { systemRandom } from './platform/random.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { readSecretKey } from './platform/secret-key.ts';
import type { World } from './platform/world.ts';
import { openDatabase, type Queryable } from './postgres/database.ts';
import { type DatabaseAddress, databaseAddress } from './postgres/database-address.ts';
import { attachEmbedded } from './postgres/embedded.ts';
import { migrate } from './postgres/migrate.ts';
import {
  type AliasResolver,
  createAliasResolver,
  createHostResolver,
  createTextResolver,
  type HostResolver,
  type TextResolver,
} from './public-fetch/public-fetch.ts';
import type { SealProcesses } from './sealing/pdf-worker.ts';
import { type Installation, makeFirstKey } from './secrets/first-key.ts';
import { createRenewalMetrics, showCertificate } from './signing/renewal-metrics.ts';
import { createSealMetrics } from './signing/seal-metrics.ts';
import { openSso } from './sso/open-sso.ts';
import { createUnlocker } from './unlock/convert/create-unlocker.ts';
import { startWebRole } from './web-role.ts';
import { createWebhookMetrics } from './webhooks/webhook-metrics.ts';
import { startWorkerRole } from './worker-role.ts';

export interface Service {
  /** `http://127.0.0.1:3000` or PUBLIC_URL; `{base_url}` is it plus `/api/v1`. */
  origin: string;
  /** Stops taking requests, finishes those in flight, hands back claimed jobs. */
  stop(): Promise<void>;
}

/** A stop may take ten seconds. The last of them are for closing connections that have become idle. */
const stopMs = 7500;

/** Things outside of the service: a person at the first start, and replacements for tests. */
export interface Outside {
  /** Shows the keys of the demo company that the first start makes. Without it, none is made. */
  welcome?: (keys: DemoKeys, origin: string) => void;
  /** Ends a start that is under way. */
  signal?: AbortSignal;
  clock?: Clock;
  hostResolver?: HostResolver;
  textResolver?: TextResolver;
  aliasResolver?: AliasResolver;
  /** Limits of imports, other than the usual ones. */
  importLimits?: Partial<ImportLimits>;
  /** Time limit of statements, and of what a request does in the database, longer than usual, for machines that are slow. */
  patienceMs?: number;
  /** Starts processes for PDFs, for several services. The caller closes it. What a service asked for may still run after its end. */
  pdfProcesses?: PdfProcesses;
}

export interface PdfProcesses {
  /** Not used where sealing needs the network or a key outside of the certificate's file. */
  seal: SealProcesses;
  reader: PdfReader;
}

/**
 * One process of the service: database, then web and worker as the role says. Throws an `OperatorError` with one clear
 * line when it cannot start, and leaves nothing running then.
 */
export async function startService(config: Config, outside: Outside = {}): Promise<Service> {
  const stops: Stops = [];
  const stop = async () => {
    const end = performance.now() + stopMs;
    for (const stopPart of stops.splice(0).reverse()) await stopPart(end - performance.now());
  };
  try {
    return { ...(await start(config, outside, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(config: Config, given: Outside, stops: Stops): Promise<Omit<Service, 'stop'>> {
  const {
    clock = systemClock,
    hostResolver = createHostResolver({ timeoutMs: lookupMs(config) }),
    textResolver = createTextResolver(),
    aliasResolver = createAliasResolver(),
    importLimits,
  } = given;
  const log = createLog(config.logLevel);
  if (config.tracing !== null) {
    const { startTracing } = await import('./platform/tracing/start-tracing.ts');
    const tracing = await startTracing(config.tracing, log);
    stops.push((msLeft) => tracing.stop(msLeft));
  }
  const world: World = { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log };
  if (config.webhookAllowPrivate) {
    log.warn('WEBHOOK_ALLOW_PRIVATE lets webhooks reach this network: for development and tests only');
  }
  if (config.databaseUrl === null && config.role !== 'all') {
    log.warn('no other process can do the rest of the work: set DATABASE_URL for processes of one role, or ROLE=all', {
      role: config.role,
    });
  }
  const plans = readPlanTable(config.plansFile);
  const timeStampAnchors = await readTrustAnchors(config.tsaTrustFile);
  await prepareDataDir(config.dataDir, log);
  const known = await findSecretKey(config, world);
  // The certificate is tested while the database starts. A service that cannot seal must not accept documents.
  const openSealing = async (secretKey: Buffer) => {
    const pdf = await openPdf(config, world, { secretKey, shared: given.pdfProcesses?.seal }, stops);
    const certificate = checkCertificate(pdf, config);
    certificate.catch(() => {});
    return { secretKey, pdf, certificate };
  };
  const early = known && (await openSealing(known));
  const address = await openDatabaseServer(config, world, stops);
  if (given.patienceMs !== undefined) address.timeoutMs = given.patienceMs;
  const { directUrl } = address;
  given.signal?.throwIfAborted();
  await migrate(directUrl, { onNotice: (notice) => log.warn(notice), signal: given.signal });
  await migrateQueue(directUrl, log);
  given.signal?.throwIfAborted();

  const database = openDatabase({ ...address, connectionsMax: 16, log });
  stops.push(() => database.close());
  const late = async () => openSealing(await makeFirstKey(installation(config, database), world.random));
  const { secretKey, pdf, certificate } = early ?? (await late());
  const certificateInUse = await certificate;
  if (daysLeft(certificateInUse, clock.now()) < certificateWarningDays) {
    log.warn('the signing certificate ends soon: replace it before then, because nothing is sealed after', {
      notAfter: certificateInUse.notAfter,
    });
  }
  const queue = await startQueue(directUrl, log, config.role !== 'web');
  stops.push((msLeft) => queue.stop(msLeft));
  given.signal?.throwIfAborted();
  const files = await openFileStore(config.filesUrl, config.s3);
  const pdfReader = given.pdfProcesses?.reader ?? createPdfReader({ log });
  if (given.pdfProcesses === undefined) stops.push(() => pdfReader.close());
  const unlocker = createUnlocker({ log });
  stops.push(() => unlocker.close());
  const unlock = createUnlockHook(world, database, queue);
  const secretBox = createSecretBox(secretKey, world.random, config.previousSecretKey);
  const esign = openEsign(config, { world, database, secretBox });
  const sso = openSso(config, { world, db: database, secretBox, hostResolver, txt: textResolver });
  stops.push(async () => sso.publicFetch.close());
  const resolvers = { txt: textResolver, hosts: hostResolver, aliases: aliasResolver };
  const domains = { world, db: database, publicUrl: config.publicUrl, resolvers };
  const customHosts = createServedDomains(domains);
  const outside = {
    world,
    database,
    plans,
    files,
    secretBox,
    pdfReader,
    hostResolver,
    unlock,
    esign,
    importLimits: { ...(given.patienceMs !== undefined && { beginMsMax: given.patienceMs }), ...importLimits },
  };
  const imports = await openImports(config, outside);
  const health = createHealth(database);
  const metrics = createMetrics();
  // Before the metrics that ask the database: their own waiting is not counted.
  showConnections(metrics.registry, database);
  showBuild(metrics.registry, readBuild());
  showCertificate(metrics.registry, certificateInUse);
  createImportMetrics(metrics.registry, world, database);
  createJobMetrics(metrics.registry, clock, queue);
  createSealMetrics(metrics.registry, clock, database);
  if (config.tsaUrl !== null) createRenewalMetrics(metrics.registry, clock, database);
  const origins = { current: config.publicUrl ?? localOrigin(config.host, config.port) };
  const auditStream = openStreams(config, {
    ...{ world, db: database, secretBox, resolver: hostResolver },
    origin: () => origins.current,
  });
  stops.push(async () => auditStream.publicFetch.close());
  const parts: Parts = {
    config,
    world,
    plans,
    secretKey,
    secretBox,
    databaseAddress: address,
    database,
    queue,
    files,
    pdf,
    pdfReader,
    timeStampAnchors,
    unlocker,
    esign,
    sso,
    domains,
    customHosts,
    auditStream,
    imports: imports.deps,
    health,
    metrics,
    webhookMetrics: createWebhookMetrics(metrics.registry, world, database),
    streamMetrics: createStreamMetrics(metrics.registry, world, database),
    hostResolver,
    origins,
  };

  if (config.metrics !== null) {
    const operatorServer = await startOperatorServer({ metrics, health, customHosts, ...config.metrics });
    stops.push(() => operatorServer.stop());
  }
  if (config.role !== 'web') await startWorkerRole(parts, stops);
  stops.push((msLeft) => imports.stop(msLeft));
  if (config.role !== 'worker') {
    await startWebRole(parts, stops);
    const { welcome } = given;
    if (welcome !== undefined) await createDemo(world, database, (keys) => welcome(keys, origins.current));
  }
  stops.push(async () => {
    health.stopping();
    imports.answerSoon();
  });
  health.started();
  return { origin: origins.current };
}

/** Shorter than the limit of a webhook attempt, so that a DNS failure is known before the receiver is blamed. */
function lookupMs({ webhookTimeoutMs }: Config): number {
  return Math.min(4000, Math.ceil(webhookTimeoutMs * 0.4));
}

/** Returns the secret key: a new one for a new installation, null when the database must tell whether it was lost. */
async function findSecretKey(config: Config, { random }: World): Promise<Buffer | null> {
  const known = config.secretKey ?? (await readSecretKey(config.dataDir));
  const isNew = config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres'));
  return known ?? (isNew ? makeFirstKey(installation(config, null), random) : null);
}

function installation({ dataDir, signingCertificate }: Config, db: Queryable | null): Installation {
  return { dataDir, db, hasOwnCertificate: signingCertificate === null };
}

/** Creates the directory of keys, certificates and documents, for its owner alone. An existing one keeps its mode. */
async function prepareDataDir(dataDir: string, log: Log): Promise<void> {
  try {
    await makeDirectory(dataDir, 0o700);
    const { mode } = await stat(dataDir);
    if ((mode & 0o077) !== 0) {
      log.warn('other users of this machine can enter DATA_DIR: run chmod 700 on it', {
        dataDir,
        mode: (mode & 0o777).toString(8),
      });
    }
  } catch (error) {
    throw new OperatorError(`cannot use DATA_DIR ${dataDir}: ${(error as Error).message}`);
  }
}

async function openDatabaseServer(config: Config, world: World, stops: Stops): Promise<DatabaseAddress> {
  if (config.databaseUrl !== null) return databaseAddress(config.databaseUrl, config.databaseDirectUrl);
  const embedded = await attachEmbedded({ dataDir: config.dataDir, log: world.log, purpose: 'server' });
  stops.push(() => embedded.release());
  return databaseAddress(embedded.url, null);
}
