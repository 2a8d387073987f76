import type { ImportMeans } from '../import-means.ts';
import { assertLeased } from '../lease.ts';
import { openVendorDesk } from './ask-vendor.ts';
import { createBatches } from './batches.ts';
import { bringEnvelopes } from './bring-envelopes.ts';
import { claimEnvelopes, releaseClaims } from './claim-envelopes.ts';
import { finishSweep } from './end-sweep.ts';
import { createEnvelopeQueue } from './envelope-queue.ts';
import { fileBatch } from './file-batch.ts';
import type { Ending } from './file-envelopes.ts';
import { type Listing, listEnvelopes } from './list-envelopes.ts';
import { type RunningSweep, saveSweep } from './sweep.ts';
import { SweepEnded } from './sweep-ended.ts';
import { together } from './together.ts';
import { createVendorGate } from './vendor-gate.ts';
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
 * lost, `SweepEnded`, `SweepPaused`, and when the database, the disk or the PDF reader fail; what has ended by then has
 * ended, the rest is open.
 */
export async function sweepEnvelopes(means: ImportMeans, running: RunningSweep, until: AbortSignal): Promise<void> {
  await releaseClaims(means.database, running.lease);
  const gate = createVendorGate();
  for (;;) {
    const { found, cut } = await look(means, running, gate, until);
    if (cut !== null) throw new SweepEnded(cut);
    const { looks, newest } = running.sweep;
    if (looks >= looksMax || newest === null || (looks > 1 && found === 0)) break;
    await lookAgain(means, running, newest);
  }
  await means.database.transaction((tx) => finishSweep(means.world, tx, running.lease));
}

async function look(
  means: ImportMeans,
  running: RunningSweep,
  gate: ReturnType<typeof createVendorGate>,
  until: AbortSignal,
): Promise<Listing> {
  const { database } = means;
  const failing = new AbortController();
  const signal = AbortSignal.any([until, failing.signal]);
  const desk = openVendorDesk(means, running, gate, signal);
  let lastId = beforeAnyItem;
  const queue = createEnvelopeQueue(async () => {
    const claimed = await claimEnvelopes(database, running.lease, lastId, claimedAtOnce);
    lastId = claimed.at(-1)?.itemId ?? lastId;
    return claimed;
  }, signal);
  const filer = createBatches<Ending>(filedAtOnce, (endings) => fileBatch(means, running, endings));
  const listing = listEnvelopes(means, running, desk, signal, queue.grown).finally(queue.complete);
  const stopWatching = watchConnection(means, running, failing);
  try {
    await together([listing, bringEnvelopes(means, running, desk, queue, filer, { signal, failing })], failing);
    return await listing;
  } finally {
    stopWatching();
    await filer.settled().catch(() => {}); // it has failed by what was thrown
  }
}

async function lookAgain({ world, database }: ImportMeans, running: RunningSweep, newest: string): Promise<void> {
  const overlap = new Date(new Date(newest).getTime() - overlapMs).toISOString();
  const from = overlap > running.earliest ? overlap : running.earliest;
  const progressed_at = world.clock.now().toISOString();
  const sweep = {
    ...running.sweep,
    list_from: from,
    list_position: 0,
    list_anchor: null,
    is_listed: false,
    progressed_at,
  };
  await database.transaction(async (tx) => {
    await assertLeased(tx, running.lease);
    await saveSweep(tx, sweep);
  });
  running.sweep = sweep;
}
