import { createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type PlanTable, readPlanTable } from './accounts/plans.ts';
import { accountEndpoints } from './api/account-endpoints.ts';
import { createAdmission } from './api/admission.ts';
import { documentEndpoints } from './api/document-endpoints.ts';
import type { Endpoint } from './api/endpoint.ts';
import { forgetAnswers } from './api/idempotency.ts';
import { importEndpoints } from './api/import-endpoints.ts';
import { apiPipeline } from './api/pipeline.ts';
import type { Config } from './config.ts';
import { createDemo, type DemoKeys } from './demo.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { expireDocuments } from './documents/expire-documents.ts';
import { OperatorError } from './errors.ts';
import { homeRoutes } from './home/home-routes.ts';
import { createCursorCodec } from './http/cursor.ts';
import { healthRoutes } from './http/health.ts';
import { localOrigin } from './http/local-origin.ts';
import { createMetrics, type Metrics, metricsRoutes } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { every } from './jobs/every.ts';
import { migrateQueue, type RunningQueue, startQueue } from './jobs/job-queue.ts';
import { type Database, openDatabase } from './postgres/database.ts';
import { attachEmbedded } from './postgres/embedded.ts';
import { migrate } from './postgres/migrate.ts';
import { assetRoutes } from './signing/asset-routes.ts';
import { deliverMessage } from './signing/deliver-message.ts';
import { mailboxRoutes } from './signing/mailbox-routes.ts';
import { requeueUnsealed, sealDocument } from './signing/seal-document.ts';
import { signingRoutes } from './signing/signing-routes.ts';
import { createIpGuard } from './usage/ip-guard.ts';
import { type Clock, systemClock } from './world/clock.ts';
import { createFileStore, type FileStore } from './world/files.ts';
import { createNewId } from './world/ids.ts';
import { createLog } from './world/log.ts';
import { createSmtpMail, type MailSender } from './world/mail.ts';
import { createMailbox } from './world/mailbox.ts';
import { createPdfWorker, type PdfWorker } from './world/pdf/pdf-worker.ts';
import { ensureSigningCertificate } from './world/pdf/signing-certificate.ts';
import { systemRandom } from './world/random.ts';
import { ensureSecretKey } from './world/secret-key.ts';
import { createSms, type SmsSender } from './world/sms.ts';
import type { World } from './world/world.ts';

export interface Service {
  /** `http://127.0.0.1:3000` or PUBLIC_URL; `{base_url}` is it plus `/api/v1`. */
  origin: string;
  /** Only at the first start, when there is no account yet. */
  demo: DemoKeys | null;
  /** Stops taking requests, finishes those in flight, hands back claimed jobs. */
  stop(): Promise<void>;
}

/** Started parts in order; they are stopped in reverse. Each is told how long it may take. */
type Stops = Array<(msLeft: number) => Promise<unknown>>;

/** Of the ten seconds that a stop may take (contract.md), the last are for closing what is empty by then. */
const stopMs = 7500;

/**
 * One process of the service: database, then web and worker as the role says. `clock` is a test's. Throws an
 * `OperatorError` with one clear line when it cannot start, and leaves nothing running then.
 */
export async function startService(config: Config, clock: Clock = systemClock): Promise<Service> {
  const stops: Stops = [];
  const stop = async () => {
    const end = performance.now() + stopMs;
    for (const stopPart of stops.splice(0).reverse()) await stopPart(end - performance.now());
  };
  try {
    return { ...(await start(config, clock, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(config: Config, clock: Clock, stops: Stops): Promise<Omit<Service, 'stop'>> {
  const log = createLog(config.logLevel);
  const world: World = { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log };
  const plans = readPlanTable(config.plansFile);
  await prepareDataDir(config.dataDir);
  const secretKey = await ensureSecretKey(config.secretKey, config.dataDir, world.random);

  // The certificate is proved while the database starts: a service that cannot sign must not take documents.
  const pdf = await openPdf(config, world, secretKey, stops);
  const certificate = checkCertificate(pdf, config);
  certificate.catch(() => {});
  const databaseUrl = await openDatabaseServer(config, world, stops);
  await migrate(databaseUrl);
  await migrateQueue(databaseUrl, log);
  await certificate;

  const database = openDatabase({ url: databaseUrl, connectionsMax: 16, log });
  stops.push(() => database.close());
  const queue = await startQueue(databaseUrl, log, config.role !== 'web');
  stops.push((msLeft) => queue.stop(msLeft));
  const files = createFileStore(config.filesUrl, config.s3);
  const metrics = createMetrics();
  const origins = { current: config.publicUrl ?? localOrigin(config.host, config.port) };
  const shared = { config, world, plans, secretKey, databaseUrl, database, queue, files, pdf, metrics, origins };

  const demo = config.role !== 'worker' ? await createDemo(world, database) : null;
  if (config.role !== 'web') await startWorker(shared, stops);
  if (config.role !== 'worker') await startWeb(shared, stops);
  return { origin: origins.current, demo };
}

interface Shared {
  config: Config;
  world: World;
  plans: PlanTable;
  secretKey: Buffer;
  databaseUrl: string;
  database: Database;
  queue: RunningQueue;
  files: FileStore;
  pdf: PdfWorker;
  metrics: Metrics;
  /** The public origin; with PORT=0 it is known only once the server listens. */
  origins: { current: string };
}

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    throw new OperatorError(`cannot use DATA_DIR ${dataDir}: ${(error as Error).message}`);
  }
}

async function openPdf(config: Config, world: World, secretKey: Buffer, stops: Stops): Promise<PdfWorker> {
  const certificate =
    config.signingCertificate ??
    (await ensureSigningCertificate({
      dataDir: config.dataDir,
      password: createHmac('sha256', secretKey).update('signing certificate').digest('base64url'),
      clock: world.clock,
      random: world.random,
    }));
  const pdf = createPdfWorker({
    certificate,
    tsaUrl: config.tsaUrl,
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 768 * 1024 * 1024,
    log: world.log,
    clock: world.clock,
  });
  stops.push(() => pdf.close());
  return pdf;
}

/** A certificate of the operator's own is known by its settings, the one we made by its file. */
async function checkCertificate(pdf: PdfWorker, { signingCertificate }: Config): Promise<void> {
  try {
    await pdf.checkCertificate();
  } catch (error) {
    if (signingCertificate === null || !(error instanceof OperatorError)) throw error;
    throw new OperatorError(`bad setting SIGNING_CERT_FILE or SIGNING_CERT_PASSWORD: ${error.message}`, {
      cause: error,
    });
  }
}

async function openDatabaseServer(config: Config, world: World, stops: Stops): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const embedded = await attachEmbedded({ dataDir: config.dataDir, log: world.log, purpose: 'server' });
  stops.push(() => embedded.release());
  return embedded.url;
}

const expirySweepMs = 15_000;
const housekeepingMs = 10 * 60_000;

async function startWorker(shared: Shared, stops: Stops): Promise<void> {
  const { config, world, database, queue, files, pdf, metrics, origins } = shared;
  const { mail, sms } = openSenders(config);
  stops.push(() => mail.close());
  const delivery = { mail, sms, origin: () => origins.current, onOutcome: metrics.messageOutcome };

  await queue.work('deliver-message', 8, ({ data, isLastAttempt }) =>
    deliverMessage(world, database, delivery, data.messageId, isLastAttempt),
  );
  await queue.work('seal-document', 2, ({ data }) =>
    counted(metrics.sealOutcome, 'sealed', () => sealDocument(world, database, { pdf, files, queue }, data.documentId)),
  );

  const sweep = (ms: number, name: string, run: () => Promise<unknown>) =>
    every(ms, name, world.log, () => counted((outcome) => metrics.sweepOutcome(name, outcome), 'done', run));
  const sweeps = [
    sweep(expirySweepMs, 'expire documents', () => expireDocuments(world, database)),
    sweep(housekeepingMs, 'requeue unsealed documents', () => requeueUnsealed(world, database, queue)),
    sweep(housekeepingMs, 'forget idempotency keys', () =>
      forgetAnswers(database, new Date(world.clock.now().getTime() - config.idempotencyTtlHours * 3_600_000)),
    ),
  ];
  stops.push(() => Promise.all(sweeps.map((sweep) => sweep.stop())));
}

async function counted<Done extends string>(
  count: (outcome: Done | 'failed') => void,
  done: Done,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
    count(done);
  } catch (error) {
    count('failed');
    throw error;
  }
}

/** What is not configured goes to the local mailbox in DATA_DIR. */
function openSenders(config: Config): { mail: MailSender; sms: SmsSender } {
  const mailbox = createMailbox({ dir: join(config.dataDir, 'mailbox') });
  return {
    mail: config.smtpUrl === null ? mailbox.mail : createSmtpMail({ url: config.smtpUrl, from: config.mailFrom }),
    sms: config.smsUrl === null ? mailbox.sms : createSms(config.smsUrl),
  };
}

async function startWeb(shared: Shared, stops: Stops): Promise<void> {
  const { config, world, plans, secretKey, database, queue, files, metrics, origins } = shared;
  // Budgets are counted on connections of their own, without waiting for the disk.
  const counters = openDatabase({
    url: shared.databaseUrl,
    connectionsMax: 3,
    synchronousCommit: 'off',
    timeoutMs: 1500,
    log: world.log,
    applicationName: 'countersign counters',
  });
  stops.push(() => counters.close());
  const docsUrl = () => config.docsUrl ?? `${origins.current}/docs`;
  const app = createServer(world, {
    publicUrl: config.publicUrl,
    docsUrl,
    trustProxy: config.trustProxy,
    bodyBytesMax: config.bodyBytesMax,
  });
  const guardIp = createIpGuard(world.clock, config.ipRequestsPerMinute);
  const endpoints: Endpoint[] = [...accountEndpoints, ...documentEndpoints(queue), ...importEndpoints];

  await app.register(metricsRoutes, { metrics });
  await app.register(healthRoutes, { database });
  await app.register(apiPipeline, {
    prefix: '/api/v1',
    world,
    database,
    guardIp,
    admit: createAdmission(world, counters, plans),
    cursors: createCursorCodec(secretKey),
    idempotencyTtlHours: config.idempotencyTtlHours,
    endpoints,
  });
  await app.register(signingRoutes, { world, database, queue, files, guardIp });
  await app.register(assetRoutes);
  await app.register(docsRoutes, { endpoints, baseUrl: () => `${origins.current}/api/v1`, plans });
  const showsMailbox = config.smtpUrl === null;
  if (showsMailbox) await app.register(mailboxRoutes, { dir: join(config.dataDir, 'mailbox') });
  await app.register(homeRoutes, { showsMailbox });

  await listen(app, config);
  stops.push(() => closeWithin(app, requestsInFlightMs));
  const address = app.server.address();
  if (config.publicUrl === null && address !== null && typeof address === 'object') {
    origins.current = localOrigin(config.host, address.port);
  }
}

const requestsInFlightMs = 5000;

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} on ${host} is taken: stop what listens there, or set PORT`,
      EACCES: `not allowed to listen on port ${port}: choose one above 1023 with PORT`,
      EADDRNOTAVAIL: `${host} is not an address of this machine: set HOST`,
      ENOTFOUND: `${host} is not the name of an address: set HOST`,
    };
    throw new OperatorError(reasons[code ?? ''] ?? `cannot listen on ${host}:${port}: ${message}`);
  }
}

/** Requests in flight finish; one that takes too long is cut off, so that stopping ends. */
async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), ms);
  // A client may keep its connection after the last answer: that is no reason to wait.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
  await app.close();
  clearInterval(sweep);
  clearTimeout(timer);
}
