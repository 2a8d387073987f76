import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropUnsent } from './audit-stream/manage-stream.ts';
import { createStreamRunner } from './audit-stream/run-streams.ts';
import { sendStreamNotice } from './audit-stream/stream-notice.ts';
import { requeueBulkSends, sendBulkRows } from './bulk-send/send-rows.ts';
import { sendStopNotice } from './bulk-send/stop-notice.ts';
import { checkDueDomains } from './custom-domain/check-due-domains.ts';
import { removeOldExports } from './data-export/data-exports.ts';
import { sendExportNotice } from './data-export/export-notice.ts';
import { createExportRunner } from './data-export/run-exports.ts';
import { expireDocuments } from './documents/expire-documents.ts';
import { removePendingFiles } from './documents/field-file.ts';
import { remindBeforeExpiry } from './documents/remind-before-expiry.ts';
import { newReminderPlaces, remindRecipients } from './documents/remind-recipients.ts';
import { sendReviewNotice } from './documents/review-notice.ts';
import { sendScheduleNotice } from './documents/schedule-notice.ts';
import { sendScheduled } from './documents/send-scheduled.ts';
import { removeUnreferencedFiles } from './documents/stored-files.ts';
import { finishErasures } from './erasure/erase-account.ts';
import { enqueueReconnectMail, sendReconnectMail } from './esign/reconnect-notice.ts';
import { refreshUnusedConnections } from './esign/refresh-unused-connections.ts';
import { notifyNewBrowser } from './identity/new-browser-notice.ts';
import { createVendorImportRunner } from './imports/esign/run-vendor-imports.ts';
import { resumeImports } from './imports/resume-imports.ts';
import { updateUnlockedItems } from './imports/unlock-items.ts';
import { every } from './jobs/every.ts';
import { createUnsubscribeLinks } from './messages/unsubscribe-links.ts';
import { measureStorageWhenDue } from './operators/measure-storage.ts';
import type { Parts, Stops } from './parts.ts';
import { openMail, openSms } from './platform/senders.ts';
import { openDatabase } from './postgres/database.ts';
import { createPublicFetch } from './public-fetch/public-fetch.ts';
import { enforceRetention } from './retention/enforce-retention.ts';
import { listRetained } from './retention/list-retained.ts';
import { createRetentionMetrics } from './retention/retention-metrics.ts';
import { attestActs, requeueUnattested } from './signing/attest-acts.ts';
import { deliverMessage } from './signing/deliver-message.ts';
import { deliverNotice } from './signing/deliver-notice.ts';
import { failUndelivered } from './signing/fail-undelivered.ts';
import { renewSeals } from './signing/renew-seals.ts';
import { requeueUnsealed, sealDocument } from './signing/seal-document.ts';
import { unlocksAtOnce } from './unlock/convert/create-unlocker.ts';
import { requeueUnlocks } from './unlock/jobs/enqueue-unlock.ts';
import { unlockDocument } from './unlock/jobs/unlock-document.ts';
import { addDays } from './usage/request-log-days.ts';
import { startWebhookDelivery } from './webhooks/deliver-webhooks.ts';
import { notifyOwner } from './webhooks/endpoint-notices.ts';
import { closeRemoved } from './webhooks/manage-endpoints.ts';
import { lanes } from './webhooks/sending-slots.ts';

/** The half of a process that does what nobody waits for: messages, seals, webhooks, and what recurs. */
export async function startWorkerRole(parts: Parts, stops: Stops): Promise<void> {
  await startJobs(parts, stops);
  const webhooks = startWebhooks(parts, stops);
  // Both at once, because each waits for what is under way as long as it may. Jobs are stopped before the mail connection closes.
  stops.push((msLeft) => Promise.all([webhooks.stop(msLeft), parts.queue.stop(msLeft)]));
  // A conversion can take minutes. It is cut off, and started again later.
  stops.push(() => parts.unlocker.close());
  startSweeps(parts, stops);
}

async function startJobs(parts: Parts, stops: Stops): Promise<void> {
  const { config, world, database, plans, queue, files, pdf, unlocker, metrics, origins } = parts;
  const [mail, sms] = [openMail(config), openSms(config)];
  stops.push(() => mail.close());
  const unsubscribeLinks = createUnsubscribeLinks(parts.secretKey, config.previousSecretKey);
  const { publicUrl } = config;
  const delivery = { mail, sms, publicUrl, origin: () => origins.current, onOutcome: metrics.messageOutcome };

  await queue.work('deliver-message', { workers: 2, batch: 8 }, ({ data, isLastAttempt }) =>
    deliverMessage(world, database, queue, delivery, data.messageId, isLastAttempt),
  );
  await queue.work('deliver-notice', { workers: 2 }, ({ data, isLastAttempt }) =>
    deliverNotice(world, database, { ...delivery, unsubscribeLinks }, data, isLastAttempt),
  );
  await queue.work('deliver-sms', { workers: 2, batch: 8 }, ({ data, isLastAttempt }) =>
    'messageId' in data
      ? deliverMessage(world, database, queue, delivery, data.messageId, isLastAttempt)
      : deliverNotice(world, database, { ...delivery, unsubscribeLinks }, data, isLastAttempt),
  );
  const sealing = { pdf, files, queue, origin: () => origins.current };
  await queue.work('seal-document', { workers: 2 }, ({ data, attempt }) =>
    counted(metrics.sealOutcome, 'sealed', () => sealDocument(world, database, sealing, data.documentId, attempt)),
  );
  // One at a time, because seals wait for the same process.
  await queue.work('attest-act', { workers: 1 }, ({ data }) =>
    attestActs(world, database, pdf, { account_id: data.accountId, id: data.documentId }),
  );
  await queue.work('unlock-document', { workers: unlocksAtOnce }, async ({ data }) => {
    await unlockDocument(
      { world, database, plans, files, unlocker, onOutcome: updateUnlockedItems },
      data.accountId,
      data.documentId,
    );
  });
  await queue.work('send-bulk-rows', { workers: 2 }, async ({ data, again }) => {
    const outcome = await sendBulkRows(world, database, queue, data);
    if (outcome === 'more') await database.transaction(again);
  });
  await queue.work('tell-owner', { workers: 1 }, ({ data }) => notifyOwner(database, mail, origins.current, data));
  await queue.work('ask-owner', { workers: 1 }, ({ data }) => sendReconnectMail(database, mail, origins.current, data));
  await queue.work('tell-of-review', { workers: 1 }, ({ data, isLastAttempt }) =>
    sendReviewNotice(database, { world, mail, origin: origins.current, isLastAttempt }, data),
  );
  await queue.work('tell-of-schedule', { workers: 1 }, ({ data, isLastAttempt }) =>
    sendScheduleNotice(database, { world, mail, origin: origins.current, isLastAttempt }, data),
  );
  await queue.work('tell-of-bulk-send', { workers: 1 }, ({ data, isLastAttempt }) =>
    sendStopNotice(database, { world, mail, origin: origins.current, isLastAttempt }, data),
  );
  await queue.work('tell-of-export', { workers: 1 }, ({ data }) =>
    sendExportNotice(database, mail, origins.current, data),
  );
  await queue.work('tell-of-audit-stream', { workers: 1 }, ({ data }) =>
    sendStreamNotice(database, mail, origins.current, data),
  );
  await queue.work('notify-new-browser', { workers: 1 }, ({ data }) =>
    notifyNewBrowser(database, mail, origins.current, data),
  );
}

function startWebhooks(
  { config, world, webhookMetrics, ...parts }: Parts,
  stops: Stops,
): ReturnType<typeof startWebhookDelivery> {
  const claims = openDatabase({
    ...parts.databaseAddress,
    connectionsMax: lanes.length, // no lane waits for the claim of another
    synchronousCommit: 'off',
    log: world.log,
    applicationName: 'countersign claims',
  });
  stops.push(() => claims.close());
  return startWebhookDelivery(world, {
    db: parts.database,
    claims,
    databaseDirectUrl: parts.databaseAddress.directUrl,
    secretBox: parts.secretBox,
    publicFetch: createPublicFetch({
      resolver: parts.hostResolver,
      allowPrivate: config.webhookAllowPrivate,
      proxy: config.outboundProxyUrl === null ? null : { url: config.outboundProxyUrl },
    }),
    queue: parts.queue,
    timeoutMs: config.webhookTimeoutMs,
    retryDelaysSeconds: config.webhookRetryDelaysSeconds,
    onAttempt: webhookMetrics.attempted,
    onFirstSend: webhookMetrics.firstSent,
  });
}

const expirySweepMs = 15_000;
const reminderSweepMs = 60_000;
/** An import whose process died is free after ten seconds. */
const resumeSweepMs = 2000;
/** How long a migration waits for its worker. */
const migrationSweepMs = 500;
/** How long the next bulk send of a company waits after one has ended, and one that waits for messages. */
const bulkSweepMs = 2000;
/** A document is sent at most about this long after its time. */
const scheduleSweepMs = 2000;
/** How long a data export waits for its worker. */
const exportSweepMs = 2000;
/** How often it is looked whether storage must be measured again. */
const storageSweepMs = 5 * 60_000;
/** An audit entry is streamed about this long after it has settled. */
const streamSweepMs = 1000;
const overdueSweepMs = 30_000;
/** How late the check of a company's domain may be. */
const domainSweepMs = 15_000;
/** A run renews up to 100 sealed files. */
const renewalSweepMs = 60_000;
const housekeepingMs = 10 * 60_000;
/** How many sweeps run for the first time at once. */
const beginningMax = 2;
/** After this time the next sweep begins, although the one before still runs for the first time. */
const turnMsMax = 250;

function startSweeps(parts: Parts, stops: Stops): void {
  const { config, world, database, queue, files, imports, esign, metrics, auditStream, streamMetrics } = parts;
  // All at once would open every connection of the pool, so sweeps begin in turn. A long one keeps none waiting.
  const turns = Array.from({ length: beginningMax }, (): Promise<unknown> => Promise.resolve());
  const sweep = (ms: number, name: string, run: (stopping: AbortSignal) => Promise<unknown>) => {
    const count = (outcome: 'done' | 'failed') => metrics.sweepOutcome(name, outcome);
    const turn = turns.shift();
    const sweeping = every(ms, name, world.log, (stopping) => counted(count, 'done', () => run(stopping)), turn);
    turns.push(
      Promise.resolve(turn).then(() => Promise.race([sweeping.ranOnce, sleep(turnMsMax, undefined, { ref: false })])),
    );
    return sweeping;
  };
  const retained = listRetained(config, database);
  const retentionMetrics = createRetentionMetrics(metrics.registry, world.clock);
  const exports = { world, db: database, address: parts.databaseAddress, files, queue, dataDir: config.dataDir };
  const streams = createStreamRunner({ ...auditStream, queue, onBatch: streamMetrics.onBatch });
  stops.push(() => streams.stop());
  const [expiring, expiringSoon] = [{ after: null }, { after: null }];
  const reminderPlaces = newReminderPlaces();
  const sweeps = [
    sweep(expirySweepMs, 'expire documents', (stopping) => expireDocuments(world, database, queue, stopping, expiring)),
    sweep(reminderSweepMs, 'remind recipients', (stopping) =>
      remindRecipients(world, database, queue, config.reminderDays, stopping, reminderPlaces),
    ),
    sweep(reminderSweepMs, 'remind before expiry', (stopping) =>
      remindBeforeExpiry(world, database, queue, config.reminderDays, stopping, expiringSoon),
    ),
    sweep(housekeepingMs, 'requeue unsealed documents', () => requeueUnsealed(world, database, queue)),
    ...(config.tsaUrl === null ? [] : [sweep(renewalSweepMs, 'renew seals', createRenewalJob(parts, config.tsaUrl))]),
    sweep(housekeepingMs, 'requeue missing attestations', () => requeueUnattested(world, database, queue)),
    sweep(housekeepingMs, 'fail undelivered messages', () => failUndelivered(world, database)),
    sweep(housekeepingMs, 'remove unreferenced files', (stopping) =>
      removeUnreferencedFiles(world, database, files, config.retention.removedFilesDays, stopping),
    ),
    sweep(housekeepingMs, 'remove unsigned uploads', () => removePendingFiles(world, database)),
    sweep(overdueSweepMs, 'requeue overdue unlocks', () => requeueUnlocks(world, database, queue)),
    sweep(scheduleSweepMs, 'send scheduled documents', () => sendScheduled(world, database, queue)),
    sweep(bulkSweepMs, 'requeue bulk sends', () => requeueBulkSends(database, queue)),
    sweep(resumeSweepMs, 'resume imports', () => resumeImports(imports)),
    sweep(migrationSweepMs, 'run migrations', createVendorImportRunner(imports)),
    sweep(overdueSweepMs, 'ask owners to reconnect', () => enqueueReconnectMail(world, database, queue)),
    sweep(domainSweepMs, 'check custom domains', (stopping) => checkDueDomains(parts.domains, stopping)),
    sweep(housekeepingMs, 'keep connections', () => refreshUnusedConnections(esign)),
    sweep(housekeepingMs, 'add days of the request log', () => addDays(database, world.clock.now())),
    sweep(housekeepingMs, 'enforce retention', (stopping) =>
      enforceRetention(world, retained, retentionMetrics, stopping),
    ),
    sweep(housekeepingMs, 'finish erasures', (stopping) =>
      finishErasures(world, database, stopping, join(config.dataDir, 'mailbox')),
    ),
    sweep(exportSweepMs, 'write data exports', createExportRunner(exports)),
    sweep(housekeepingMs, 'remove old data exports', () => removeOldExports(world, database, files)),
    sweep(storageSweepMs, 'measure storage', (stopping) => measureStorageWhenDue(world, database, stopping)),
    sweep(streamSweepMs, 'stream audit logs', () => streams.startDue()),
    sweep(housekeepingMs, 'drop entries of removed audit streams', () => dropUnsent(database, null)),
    sweep(housekeepingMs, 'close deliveries of removed endpoints', () => closeRemoved(world, database)),
  ];
  // One that waits for a silent file store or vendor is left behind: jobs and deliveries are handed back in the other half.
  stops.push((msLeft) =>
    Promise.race([
      Promise.all(sweeps.map((sweep) => sweep.stop())),
      sleep(Math.max(msLeft / 2, 0), undefined, { ref: false }),
    ]),
  );
}

function createRenewalJob({ world, database, pdf, files, timeStampAnchors }: Parts, tsaUrl: string) {
  const renewing = { pdf, files, tsaUrl, anchors: timeStampAnchors };
  return (stopping: AbortSignal) => renewSeals(world, database, renewing, { actor: 'service', stopping });
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
