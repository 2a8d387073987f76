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
import type { EnvelopeResult } from './store-envelopes.ts';
import { createVendorClient } from './vendor-client.ts';
import { createVendorGate } from './vendor-gate.ts';
import { type RunningVendorImport, saveVendorImport } from './vendor-import.ts';
import { VendorImportEnded } from './vendor-import-ended.ts';
import { watchConnection } from './watch-connection.ts';

const claimedAtOnce = 50;
const recordedAtOnce = 50;
const beforeAnyItem = '00000000-0000-0000-0000-000000000000';
/** After the whole list, its end is read again for envelopes that were completed meanwhile or listed late. */
const looksMax = 3;
const overlapMs = 3_600_000;

/**
 * Runs a vendor import, under its lease, from its recorded position to its end. Lists and imports envelopes at the same
 * time, then reads the end of the list again. Throws `VendorImportEnded`, `VendorImportPaused` and `LeaseLost`, when
 * `until` is aborted, and when the database, the disk or the PDF reader fails. Items that have ended by then stay ended.
 */
export async function importEnvelopes(
  deps: ImportDeps,
  running: RunningVendorImport,
  until: AbortSignal,
): Promise<void> {
  await releaseClaims(deps.database, running.lease);
  const gate = createVendorGate();
  for (;;) {
    const { found, cut } = await runPass(deps, running, gate, until);
    if (cut !== null) throw new VendorImportEnded(cut);
    const { looks, newest } = running.vendorImport;
    if (looks >= looksMax || newest === null || (looks > 1 && found === 0)) break;
    await listEndAgain(deps, running, newest);
  }
  await deps.database.transaction((tx) => finishVendorImport(deps.world, tx, running.lease));
}

async function runPass(
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
  const recorder = createBatches<EnvelopeResult>(recordedAtOnce, (results) => storeBatch(deps, running, results));
  const listing = listEnvelopes(deps, running, client, signal, queue.listedMore).finally(queue.complete);
  const stopWatching = watchConnection(deps, running, failing);
  try {
    await runTogether([listing, fetchEnvelopes(deps, running, client, queue, recorder, { signal, failing })], failing);
    return await listing;
  } finally {
    stopWatching();
    await recorder.settled().catch(() => {}); // the error above is the one to throw
  }
}

async function listEndAgain(
  { world, database }: ImportDeps,
  running: RunningVendorImport,
  newest: string,
): Promise<void> {
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
