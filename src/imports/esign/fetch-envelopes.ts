import type { ImportDeps } from '../import-deps.ts';
import type { Batches } from './batches.ts';
import type { EnvelopeQueue, EnvelopeTask } from './envelope-queue.ts';
import { fetchEnvelope, type Outcome, type ReceivedFile, storeReceived } from './fetch-envelope.ts';
import { runTogether } from './run-together.ts';
import type { EnvelopeResult } from './store-envelopes.ts';
import type { VendorClient } from './vendor-client.ts';
import type { RunningVendorImport } from './vendor-import.ts';

/** Concurrent document downloads of one vendor import. */
const fetchesAtOnce = 6;
/** Files of one vendor import that were received but not yet stored. They are on this disk, not in memory. */
const storingMax = 12;
const attemptsMax = 5;
const firstDelayMs = 250;

/**
 * Imports the envelopes of the queue until it is complete and empty. Downloads, file checks and database writes overlap:
 * the next file is downloaded while earlier ones are checked and recorded. Throws the first failure once all have stopped.
 */
export async function fetchEnvelopes(
  deps: ImportDeps,
  running: RunningVendorImport,
  client: VendorClient,
  queue: EnvelopeQueue,
  recorder: Batches<EnvelopeResult>,
  { signal, failing }: { signal: AbortSignal; failing: AbortController },
): Promise<void> {
  const storing = new Set<Promise<void>>();

  async function fetchNext(): Promise<void> {
    for (let task = await queue.next(); task !== null; task = await queue.next()) await fetchOne(task);
  }

  async function fetchOne(task: EnvelopeTask): Promise<void> {
    const { claimed } = task;
    const fetched = await fetchEnvelope(deps, client, claimed);
    if (fetched.kind === 'received') return startStoring(task, fetched.file);
    if (fetched.kind !== 'again') return recorder.add({ claimed, outcome: fetched });
    // Other envelopes are tried first. Their success or failure shows whether the vendor is at fault.
    if (!fetched.counts) return queue.putLast(task);
    const attempts = task.attempts + 1;
    if (attempts >= attemptsMax) return recorder.add({ claimed, outcome: { kind: 'failed', reason: fetched.reason } });
    queue.putOff({ claimed, attempts }, firstDelayMs * 2 ** task.attempts);
  }

  async function startStoring({ claimed }: EnvelopeTask, file: ReceivedFile): Promise<void> {
    const stored = storeReceived(deps, running.import.account_id, file, signal)
      .then((outcome: Outcome) => recorder.add({ claimed, outcome }))
      .finally(() => storing.delete(stored));
    stored.catch((error) => failing.abort(error));
    storing.add(stored);
    while (storing.size >= storingMax) await Promise.race(storing);
  }

  await runTogether(Array.from({ length: fetchesAtOnce }, fetchNext), failing);
  await runTogether([...storing], failing);
  await recorder.settled();
}
