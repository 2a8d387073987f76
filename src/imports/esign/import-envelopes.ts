import type { ImportDeps } from '../import-deps.ts';
import { assertLeased } from '../lease.ts';
import { createBatches } from './batches.ts';
import { claimEnvelopes, releaseClaims } from './claim-envelopes.ts';
import { finishVendorImport } from './end-vendor-import.ts';
import { createEnvelopeQueue } from './envelope-queue.ts';
import { fetchEnvelopes } from './fetch-envelopes.ts';
import { type Listing, listEnvelopes } from './list-envelopes.ts';
import { runTogether } from './run-together.ts';
import { storeBatch } from './store-batch.ts';
import type { Ending } from './store-envelopes.ts';
import { createVendorClient } from './vendor-client.ts';
import { createVendorGate } from './vendor-gate.ts';
import { type RunningVendorImport, saveVendorImport } from './vendor-import.ts';
import { VendorImportEnded } from './vendor-import-ended.ts';
import { watchConnection } from './watch-connection.ts';

const claimedAtOnce = 50;
const filedAtOnce = 50;
const beforeAnyItem = '00000000-0000-0000-0000-000000000000';
/** The list is read once, and then its end again: for what was completed meanwhile, or listed late. */
const looksMax = 3;
const overlapMs = 3_600_000;

/**
 * Runs a migration, under its lease, from where it has come to its end: lists the vendor's envelopes and brings them in,
 * both at once, and looks at the end of the list again when that is done. Throws when told to stop, when the lease is
 * lost, `VendorImportEnded`, `VendorImportPaused`, and when the database, the disk or the PDF reader fail; what has ended by then has
 * ended, the rest is open.
 */
export async function importEnvelopes(
  deps: ImportDeps,
  running: RunningVendorImport,
  until: AbortSignal,
): Promise<void> {
  await releaseClaims(deps.database, running.lease);
  const gate = createVendorGate();
  for (;;) {
    const { found, cut } = await look(deps, running, gate, until);
    if (cut !== null) throw new VendorImportEnded(cut);
    const { looks, newest } = running.vendorImport;
    if (looks >= looksMax || newest === null || (looks > 1 && found === 0)) break;
    await lookAgain(deps, running, newest);
  }
  await deps.database.transaction((tx) => finishVendorImport(deps.world, tx, running.lease));
}

async function look(
  deps: ImportDeps,
  running: RunningVendorImport,
  gate: ReturnType<typeof createVendorGate>,
  until: AbortSignal,
): Promise<Listing> {
  const { database } = deps;
  const failing = new AbortController();
  const signal = AbortSignal.any([until, failing.signal]);
  const client = createVendorClient(deps, running, gate, signal);
  let lastId = beforeAnyItem;
  const queue = createEnvelopeQueue(async () => {
    const claimed = await claimEnvelopes(database, running.lease, lastId, claimedAtOnce);
    lastId = claimed.at(-1)?.itemId ?? lastId;
    return claimed;
  }, signal);
  const filer = createBatches<Ending>(filedAtOnce, (endings) => storeBatch(deps, running, endings));
  const listing = listEnvelopes(deps, running, client, signal, queue.grown).finally(queue.complete);
  const stopWatching = watchConnection(deps, running, failing);
  try {
    await runTogether([listing, fetchEnvelopes(deps, running, client, queue, filer, { signal, failing })], failing);
    return await listing;
  } finally {
    stopWatching();
    await filer.settled().catch(() => {}); // it has failed by what was thrown
  }
}

async function lookAgain({ world, database }: ImportDeps, running: RunningVendorImport, newest: string): Promise<void> {
  const overlap = new Date(new Date(newest).getTime() - overlapMs).toISOString();
  const from = overlap > running.earliest ? overlap : running.earliest;
  const progressed_at = world.clock.now().toISOString();
  const vendorImport = {
    ...running.vendorImport,
    list_from: from,
    list_position: 0,
    list_anchor: null,
    is_listed: false,
    progressed_at,
  };
  await database.transaction(async (tx) => {
    await assertLeased(tx, running.lease);
    await saveVendorImport(tx, vendorImport);
  });
  running.vendorImport = vendorImport;
}
