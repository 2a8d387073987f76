import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvelopePage } from '../../world/esign-vendor.ts';
import type { ImportMeans } from '../import-means.ts';
import type { Asked, VendorDesk } from './ask-vendor.ts';
import { nextPage } from './list-cursor.ts';
import { recordPage } from './record-page.ts';
import type { RunningSweep } from './sweep.ts';
import { SweepEnded } from './sweep-ended.ts';
import { readEnvelope, readPlace } from './vendor-envelope.ts';

/** The most that the vendor lists with their recipients. */
const pageEnvelopes = 100;
const againMs = 2000;

/**
 * Lists page by page from where the sweep has come to the end, each page recorded before the next is asked for, so that
 * one page is all there ever is in memory. Returns how many envelopes were new. `onNew` hears of each page that had any.
 */
export async function listEnvelopes(
  { world, database, vendor }: Pick<ImportMeans, 'world' | 'database' | 'vendor'>,
  running: RunningSweep,
  desk: VendorDesk,
  signal: AbortSignal,
  onNew: () => void,
): Promise<number> {
  let found = 0;
  while (!running.sweep.is_listed) {
    const { list_from: from, list_position: position, list_anchor: anchor } = running.sweep;
    const query = { from: new Date(from), position, count: pageEnvelopes };
    const asked = await desk.ask((access) => vendor.listCompleted(access, query, signal));
    const page = pageOf(asked);
    if (page === null) {
      await sleep(againMs, undefined, { signal });
      continue;
    }
    const places = page.envelopes.map((given) => readPlace(given, world.clock.now()));
    const next = nextPage({ from, position, anchor }, { ...page, envelopes: places }, pageEnvelopes);
    const wanted = page.envelopes
      .map(readEnvelope)
      .filter((envelope) => envelope !== null)
      .filter(({ completedAt }) => completedAt === null || completedAt >= running.earliest);
    const recorded = await database.transaction((tx) => recordPage(world, tx, running, wanted, next));
    running.sweep = recorded.sweep;
    found += recorded.added;
    if (recorded.added > 0) onNew();
  }
  return found;
}

/** Null: to be asked for again. A list that is refused stays so. */
function pageOf(asked: Asked<EnvelopePage>): EnvelopePage | null {
  if (asked.kind === 'trouble') return null;
  if (asked.kind === 'done') return asked.value;
  throw new SweepEnded(asked.why === 'other' ? 'source_unavailable' : asked.why);
}
