import type { ImportDeps } from '../import-deps.ts';
import type { Batches } from './batches.ts';
import type { EnvelopeQueue, EnvelopeTask } from './envelope-queue.ts';
import { fetchEnvelope, type Outcome, type ReceivedFile, storeReceived } from './fetch-envelope.ts';
import { runTogether } from './run-together.ts';
import type { Ending } from './store-envelopes.ts';
import type { VendorClient } from './vendor-client.ts';
import type { RunningVendorImport } from './vendor-import.ts';

/** Calls of one sweep for documents. */
const fetchesAtOnce = 6;
/** Files of one sweep that were received and are not yet filed: on this disk, not in memory. */
const landingMax = 12;
const attemptsMax = 5;
const firstDelayMs = 250;

/**
 * Brings in what the queue gives, until it is complete and empty. The network, the disk and the database each do their
 * part at their own pace: the vendor is asked for the next file while the last ones are looked at and filed. Throws the
 * first failure when everything has stopped.
 */
export async function fetchEnvelopes(
  deps: ImportDeps,
  running: RunningVendorImport,
  client: VendorClient,
  queue: EnvelopeQueue,
  filer: Batches<Ending>,
  { signal, failing }: { signal: AbortSignal; failing: AbortController },
): Promise<void> {
  const landing = new Set<Promise<void>>();

  async function fetchNext(): Promise<void> {
    for (let task = await queue.next(); task !== null; task = await queue.next()) await bring(task);
  }

  async function bring(task: EnvelopeTask): Promise<void> {
    const { claimed } = task;
    const fetched = await fetchEnvelope(deps, client, claimed);
    if (fetched.kind === 'received') return startLanding(task, fetched.file);
    if (fetched.kind !== 'again') return filer.add({ claimed, outcome: fetched });
    // Others are tried first: whether they come shows whose failure it is.
    if (!fetched.counts) return queue.putLast(task);
    const attempts = task.attempts + 1;
    if (attempts >= attemptsMax) return filer.add({ claimed, outcome: { kind: 'failed', reason: fetched.reason } });
    queue.putOff({ claimed, attempts }, firstDelayMs * 2 ** task.attempts);
  }

  async function startLanding({ claimed }: EnvelopeTask, file: ReceivedFile): Promise<void> {
    const landed = storeReceived(deps, running.import.account_id, file, signal)
      .then((outcome: Outcome) => filer.add({ claimed, outcome }))
      .finally(() => landing.delete(landed));
    landed.catch((error) => failing.abort(error));
    landing.add(landed);
    while (landing.size >= landingMax) await Promise.race(landing);
  }

  await runTogether(Array.from({ length: fetchesAtOnce }, fetchNext), failing);
  await runTogether([...landing], failing);
  await filer.settled();
}
