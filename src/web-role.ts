import { isIP } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { accountEndpoints } from './api/account-endpoints.ts';
import { createAdmission } from './api/admission.ts';
import { documentEndpoints } from './api/document-endpoints.ts';
import { downloadEndpoint } from './api/download-endpoint.ts';
import { downloadRoutes } from './api/download-routes.ts';
import { createDownloadTokens } from './api/download-token.ts';
import type { Endpoint } from './api/endpoint.ts';
import { eventRoutes } from './api/event-routes.ts';
import { importEndpoints } from './api/import-endpoints.ts';
import { apiPipeline } from './api/pipeline.ts';
import { createSpendUnits } from './api/spend-units.ts';
import { brandRoutes } from './branding/brand-routes.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console/core/console-routes.ts';
import { hideOthersLinks } from './custom-domain/hide-others-links.ts';
import { letFormsLeadOn } from './custom-domain/let-forms-lead-on.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { siteRoutes } from './docs/site-routes.ts';
import { createLiveUpdates } from './documents/live-updates.ts';
import { createCursorCodec } from './http/cursor.ts';
import { forRecipients } from './http/custom-host.ts';
import { healthRoutes } from './http/health.ts';
import { listenError } from './http/listen-error.ts';
import { isLocalClient } from './http/local-client.ts';
import { localOrigin } from './http/local-origin.ts';
import { isLoopbackHost } from './http/loopback.ts';
import { countAnswers, metricsRoutes } from './http/metrics.ts';
import { forgetServedOrigin, recordServedOrigin } from './http/served-origin.ts';
import { createServer } from './http/server.ts';
import { tlsAskRoute } from './http/tls-ask.ts';
import { every } from './jobs/every.ts';
import { createUnsubscribeLinks } from './messages/unsubscribe-links.ts';
import { readServiceFacts } from './operators/service-facts.ts';
import { languageForNotice } from './page-texts/choose-language.ts';
import type { Parts, Stops } from './parts.ts';
import { createLocalCopies } from './platform/local-copies.ts';
import { openMail, openSms } from './platform/senders.ts';
import { openDatabase } from './postgres/database.ts';
import { linkRoutes } from './public-link/link-routes.ts';
import { createCertificateDrawer } from './sealing/certificate-drawer.ts';
import { assetRoutes } from './signing/asset-routes.ts';
import { embedScriptRoute } from './signing/embed-script.ts';
import { createFilePages, type FilePages } from './signing/file-pages.ts';
import { mailboxRoutes } from './signing/mailbox-routes.ts';
import { renderUnknownAddressPage } from './signing/pages/notice-pages.ts';
import { signingRoutes } from './signing/signing-routes.ts';
import { unsubscribeRoutes } from './signing/unsubscribe-routes.ts';
import { createCodeHasher } from './signing/verification-code.ts';
import { createRenderer } from './unlock/text/create-renderer.ts';
import { createIpGuard } from './usage/ip-guard.ts';
import { createOverloadGuard } from './usage/overload-guard.ts';
import { createRequestLog } from './usage/request-log.ts';
import { verifyRoutes } from './verify/verify-routes.ts';

/** The half of a process that answers: API, signing pages, reference, mailbox, health. Listens when it returns. */
export async function startWebRole(parts: Parts, stops: Stops): Promise<void> {
  const { config, world, plans, secretKey, database, queue, files, metrics, origins } = parts;
  // Budgets are counted on connections of their own, without waiting for the disk.
  const counters = openDatabase({
    ...parts.databaseAddress,
    connectionsMax: 3,
    synchronousCommit: 'off',
    timeoutMs: parts.databaseAddress.timeoutMs ?? 1500,
    log: world.log,
    applicationName: 'countersign counters',
  });
  stops.push(() => counters.close());
  const requestLog = createRequestLog(world, counters, metrics.requestsUnlogged);
  const writing = every(requestLogMs, 'write the log of requests', world.log, requestLog.flush);
  stops.push(async () => {
    await writing.stop();
    await requestLog.flush();
  });
  const docsUrl = () => config.docsUrl ?? `${origins.current}/docs`;
  const app = createServer(world, {
    publicUrl: config.publicUrl,
    customHosts: parts.customHosts,
    docsUrl,
    trustProxy: config.trustProxy,
    bodyBytesMax: config.bodyBytesMax,
    unknownAddressPage: (acceptLanguage) =>
      renderUnknownAddressPage(languageForNotice({ chosen: null, acceptLanguage })),
  });
  const cursors = createCursorCodec(secretKey);
  const mail = openMail(config);
  stops.push(() => mail.close());
  const pages = openFilePages(parts, stops);
  const renderer = createRenderer({ log: world.log });
  stops.push(() => renderer.close());
  const certificates = createCertificateDrawer({ log: world.log });
  stops.push(() => certificates.close());
  const guardIp = createIpGuard(world.clock, config.ipRequestsPerMinute);
  const downloadTokens = createDownloadTokens(secretKey);
  const endpoints: Endpoint[] = [
    ...accountEndpoints,
    ...documentEndpoints(queue),
    downloadEndpoint({ files, tokens: downloadTokens, origin: () => origins.current }),
    ...importEndpoints(parts.imports),
  ];

  if (config.tracing !== null) (await import('./http/trace-requests.ts')).traceRequests(app);
  await app.register(countAnswers, { metrics });
  if (config.metrics === null) {
    await app.register(metricsRoutes, { metrics });
    await app.register(tlsAskRoute, { hosts: parts.customHosts });
  }
  await app.register(healthRoutes, { health: parts.health });
  const patienceMs = parts.databaseAddress.timeoutMs;
  const admit = createAdmission(world, counters, plans, patienceMs);
  const live = createLiveUpdates(parts.databaseAddress.directUrl, world.log);
  // Ends the event streams first: the server waits for open requests, and these would never end.
  app.addHook('preClose', () => live.stop());
  await app.register(apiPipeline, {
    prefix: '/api/v1',
    world,
    database,
    guardIp,
    guardLoad: createOverloadGuard(),
    admit,
    noteRequest: requestLog.note,
    spendUnits: createSpendUnits(world, counters),
    cursors,
    idempotencyTtlHours: config.idempotencyTtlHours,
    ...(patienceMs !== undefined && { answerMsMax: patienceMs }),
    endpoints,
  });
  const hasher = createCodeHasher(secretKey);
  await forRecipients(app, async (scope) => {
    hideOthersLinks(scope, database, config.publicUrl);
    letFormsLeadOn(scope, config.publicUrl);
    await scope.register(signingRoutes, {
      world,
      database,
      secretBox: parts.secretBox,
      queue,
      files,
      pages,
      makeStamp: parts.pdfReader.makeStamp,
      guardIp,
      publicUrl: config.publicUrl,
      codes: {
        sms: openSms(config, awaitedSmsMs),
        hasher,
        origin: () => origins.current,
        onOutcome: metrics.messageOutcome,
      },
      accounts: { mail, origin: () => origins.current, onOutcome: metrics.messageOutcome },
    });
    await scope.register(linkRoutes, {
      world,
      database,
      queue,
      guardIp,
      publicUrl: config.publicUrl,
      codes: { mail, hasher, onOutcome: metrics.messageOutcome },
      origin: () => origins.current,
    });
    await scope.register(assetRoutes);
    await scope.register(embedScriptRoute);
    await scope.register(brandRoutes, { db: database, guardIp });
    await scope.register(verifyRoutes, {
      world,
      guardIp,
      certificatesDir: join(config.dataDir, 'certificates'),
      db: database,
      anchors: parts.timeStampAnchors,
    });
  });
  const links = createUnsubscribeLinks(secretKey, config.previousSecretKey);
  await app.register(unsubscribeRoutes, { world, database, guardIp, links });
  await app.register(eventRoutes, { world, database, guardIp, admit, live, plans });
  await app.register(downloadRoutes, { world, db: database, files, tokens: downloadTokens, guardIp });
  await app.register(docsRoutes, { endpoints, baseUrl: () => `${origins.current}/api/v1`, docsUrl, plans });
  await app.register(siteRoutes, { origin: () => origins.current });
  const showsMailbox = hasMailboxPage(config);
  if (showsMailbox) await app.register(mailboxRoutes, { dir: join(config.dataDir, 'mailbox') });
  await app.register(consoleRoutes, {
    deps: {
      world,
      db: database,
      mail,
      secretBox: parts.secretBox,
      cursors,
      plans,
      esign: parts.esign,
      sso: parts.sso,
      domains: parts.domains,
      auditStream: parts.auditStream,
      imports: parts.imports,
      queue,
      files,
      pages,
      pdfReader: parts.pdfReader,
      renderer,
      drawCertificate: certificates.draw,
      live,
      webhookUrls: { allowPrivate: config.webhookAllowPrivate, resolver: parts.hostResolver },
      service: readServiceFacts(config),
      requestLogDays: config.retention.requestLogDays,
      reminderDays: config.reminderDays,
      publicUrl: config.publicUrl,
      origin: () => origins.current,
      mayUseDemoLink: (request) => !isForThisMachine(config) || isLocalClient(request),
    },
    guardIp,
    showsMailbox,
  });

  await listen(app, config);
  stops.push(() => closeWithin(app, requestsInFlightMs));
  const address = app.server.address();
  if (config.publicUrl === null && address !== null && typeof address === 'object') {
    origins.current = localOrigin(config.host, address.port);
  }
  await recordServedOrigin(config.dataDir, origins.current).catch((error) =>
    world.log.warn('could not tell the command line where this process answers', { error }),
  );
  stops.push(() => forgetServedOrigin(config.dataDir).catch(() => {}));
}

/** Limit for local copies of files that nobody is reading: a few of the largest files. */
const localCopiesBytesMax = 1024 * 2 ** 20;
const localCopiesAgeMsMax = 3_600_000;

function openFilePages({ world, files, pdfReader }: Parts, stops: Stops): FilePages {
  const copies = createLocalCopies(files, { bytesMax: localCopiesBytesMax, ageMsMax: localCopiesAgeMsMax });
  stops.push(() => copies.close());
  return createFilePages(world, copies, pdfReader);
}

/** Whether there is a page of the local mailbox, for clients on this machine. `countersign mailbox` works always. */
function hasMailboxPage({ smtpUrl, publicUrl }: Config): boolean {
  return smtpUrl === null && publicUrl === null;
}

/** Whether the settings mean this service for this machine alone: it has no public address, and listens on loopback. */
export function isForThisMachine({ publicUrl, host }: Config): boolean {
  return publicUrl === null && isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host);
}

const requestLogMs = 1000;
const requestsInFlightMs = 5000;
/** A person waits for their code: less than the page's own patience. */
const awaitedSmsMs = 10_000;

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, { host, port, hostSetting: 'HOST', portSetting: 'PORT' });
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
