import { join } from 'node:path';
import type { Command } from 'commander';
import { findDocument } from '../../documents/queries.ts';
import { findSealedVersion } from '../../documents/seal-renewals.ts';
import { Refusal } from '../../errors.ts';
import { readTrustAnchors } from '../../pdf/signatures/read-trust-anchors.ts';
import { createFileStore } from '../../platform/files.ts';
import { createPdfWorker } from '../../sealing/pdf-worker.ts';
import { type RenewalOutcome, type Renewing, renewSealedFile, renewSeals } from '../../signing/renew-seals.ts';
import { UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { actor, type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';

export function defineRenew(document: Command): void {
  document
    .command('renew [id]')
    .description('add a time-stamp to the sealed PDF of a document, as the service does before the present one ends')
    .option('--due', 'instead of one document, all whose time-stamp ends soon')
    .action(async (id: string | undefined, { due = false }: { due?: boolean }, command: Command) => {
      if ((id === undefined) !== due) throw new UsageError('give either an id or --due');
      if (id === undefined) return renewAll(command);
      const outcome = await withRenewing((session, renewing) => renewOne(session, renewing, id));
      if (outcome.kind === 'failed') throw new Refusal(`${outcome.reason}: ${outcome.message}`);
      if (outcome.kind === 'unstamped')
        throw new Refusal('the sealed PDF has no time-stamp: TSA_URL was not set when the document was sealed');
      if (outcome.kind !== 'renewed') throw new Refusal('the document has another sealed PDF meanwhile: try again');
      answer(command, { id, stamped_until: outcome.until, sha256: outcome.sha256 }, card);
    });
}

async function renewOne({ world, db }: Session, renewing: Renewing, id: string): Promise<RenewalOutcome> {
  const { account_id, sealed_file } = await byId('document', id, () => findDocument(db, id));
  if (sealed_file === null) throw new Refusal('the document has no sealed PDF');
  const file = await findSealedVersion(db, account_id, id);
  if (file === null)
    throw new Refusal('the PDF was sealed elsewhere, or by a version that did not record where its seal is');
  return renewSealedFile(world, db, renewing, file, { actor, isForced: true });
}

async function renewAll(command: Command): Promise<void> {
  const counts = { renewed: 0, kept: 0, failed: 0 };
  await withRenewing(async ({ world, db }, renewing) => {
    const { signal: stopping } = new AbortController();
    for (;;) {
      const outcomes = await renewSeals(world, db, renewing, { actor, stopping });
      for (const { kind } of outcomes)
        if (kind === 'renewed' || kind === 'failed') counts[kind] += 1;
        else counts.kept += 1;
      const last = outcomes.at(-1);
      if (last === undefined) return;
      if (last.kind === 'failed' && (last.reason === 'authority' || last.reason === 'no_later'))
        throw new Refusal(`stopped after ${counts.renewed} files: ${last.message}`);
    }
  });
  answer(command, counts, card);
  if (counts.failed > 0) throw new Refusal(`${counts.failed} files got no new time-stamp and are tried again later`);
}

async function withRenewing<Result>(work: (session: Session, renewing: Renewing) => Promise<Result>): Promise<Result> {
  return withDatabase(async (session) => {
    const { config, world } = session;
    const { tsaUrl, dataDir } = config;
    if (tsaUrl === null) throw new Refusal('TSA_URL is not set: it names the time-stamp authority');
    const anchors = await readTrustAnchors(config.tsaTrustFile);
    const files = createFileStore(config.filesUrl, config.s3);
    const pdf = createPdfWorker({
      // Not read: a time-stamp needs no certificate of ours.
      certificate: { file: join(dataDir, 'signing-certificate.p12'), password: '' },
      tsaUrl,
      processes: 1,
      timeoutMs: 60_000,
      memoryMaxBytes: 1536 * 1024 * 1024,
      log: world.log,
    });
    try {
      return await work(session, { pdf, files, tsaUrl, anchors });
    } finally {
      await pdf.close();
    }
  });
}
