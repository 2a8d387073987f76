import { createHash } from 'node:crypto';
import {
  type Act,
  findOverdueActs,
  listUnattested,
  recordAct,
  storeAttestation,
  type UnattestedAct,
} from '../documents/attestations.ts';
import { appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { lockDocument } from '../documents/queries.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Attestation } from '../sealing/jobs.ts';
import type { PdfWorker } from '../sealing/pdf-worker.ts';

type OfDocument = Pick<Document, 'id' | 'account_id'>;

/** Records an act of a recipient, and enqueues its attestation: nobody waits for the key or a time-stamp while signing. */
export async function requestAttestation(
  { clock }: World,
  tx: Tx,
  queue: JobQueue,
  document: OfDocument,
  act: Act,
): Promise<void> {
  const { account_id: accountId, id: documentId } = document;
  await Promise.all([
    recordAct(tx, document, act, clock.now()),
    queue.enqueue(tx, [{ name: 'attest-act', accountId, documentId, entry: act.entry }]),
  ]);
}

/**
 * Signs the audit entry of each act in a document that has no attestation yet. If two jobs sign the same one, the first
 * result stays. Voiding, expiry and erasure of a person don't matter: the act happened, and its entry keeps its hash.
 */
export async function attestActs(
  world: World,
  db: Database,
  pdf: Pick<PdfWorker, 'attest'>,
  document: OfDocument,
): Promise<void> {
  for (const act of await listUnattested(db, document)) {
    const attestation = await pdf.attest(act.hash.toString('hex'));
    await db.transaction((tx) => recordAttestation(world, tx, document, act, attestation));
  }
}

async function recordAttestation(
  world: World,
  tx: Tx,
  { account_id, id }: OfDocument,
  { entry, recipient_id, hash }: UnattestedAct,
  { cms, timeStamp }: Attestation,
): Promise<void> {
  const document = await lockDocument(tx, account_id, id, 'all');
  if (document === null || !(await storeAttestation(tx, document, { entry }, cms))) return;
  const detail = {
    recipient_id,
    entry,
    entry_hash: hash.toString('hex'),
    sha256: createHash('sha256').update(cms).digest('hex'),
    ...(timeStamp && { time_stamp: timeStamp.at.toISOString(), authority: nameOf(timeStamp.authority) }),
  };
  const at = world.clock.now().toISOString();
  await appendAudit(tx, document, [{ at, actor: 'service', action: 'attested', detail }]);
}

const nameMax = 200;

/** Returns the common name in the subject of a certificate, or all of it in one line. Node.js puts each part on its own line. */
function nameOf(subject: string): string {
  const parts = subject.split('\n');
  const commonName = parts.find((part) => part.startsWith('CN='))?.slice('CN='.length);
  return (commonName ?? parts.join(', ')).slice(0, nameMax);
}

/** Enqueues the attestations again that are missing some time after the act and have no job. Returns how many, at most `limit`. */
export async function requeueUnattested(world: World, db: Database, queue: JobQueue, limit = 100): Promise<number> {
  const overdue = new Date(world.clock.now().getTime() - 15 * 60_000);
  return db.transaction(async (tx) => {
    const acts = await findOverdueActs(tx, overdue, limit);
    await queue.enqueue(
      tx,
      acts.map(({ account_id: accountId, document_id: documentId, entry }) => {
        return { name: 'attest-act', accountId, documentId, entry };
      }),
    );
    return acts.length;
  });
}
