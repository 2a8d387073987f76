import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvelopePage, VendorRefusal } from '../../esign/vendor/vendor.ts';
import type { ImportDeps } from '../import-deps.ts';
import { nextPage } from './list-cursor.ts';
import { recordPage } from './record-page.ts';
import type { VendorClient, VendorReply } from './vendor-client.ts';
import { readEnvelope, readPlace } from './vendor-envelope.ts';
import type { RunningVendorImport } from './vendor-import.ts';
import type { VendorImportEnded } from './vendor-import-ended.ts';
import { countRecipients } from './vendor-recipients.ts';

/** The largest page that the vendor lists together with its recipients. */
const pageEnvelopes = 100;
const againMs = 2000;
/** A page that is too large, because its envelopes have thousands of recipients, is requested this many times smaller. */
const shrinkage = 8;
/** Recording this many takes a fraction of a statement's time limit. */
const recipientsOfPageMax = 10_000;

/**
 * The most pages in a row without a new envelope. A vendor that ignores the start of a page would repeat the same page
 * forever. A shifting list and the last pass also meet known envelopes, but each at most once.
 */
const barrenPagesMax = 10;
const passesMax = 2;
/** Pages in a row without any envelope that this import wants. */
const emptyPagesMax = 1000;
const barrenMs = 20;
const barrenMsMax = 2000;

/* biome-ignore format: a table reads as a table */
const reasons: Record<VendorRefusal | 'unanswered', VendorImportEnded['reason']> = {
  not_found:         'not_found',
  permission_denied: 'permission_denied',
  too_large:         'source_unavailable',
  unanswered:        'source_unavailable',
  other:             'source_unavailable',
};

export interface Listing {
  /** The number of new envelopes. */
  found: number;
  /** Why the vendor stopped before the end, or null. What it did list is imported anyway. */
  cut: VendorImportEnded['reason'] | null;
}

/**
 * Lists the vendor's envelopes from the recorded position to the end. Each page is recorded before the next is requested,
 * so only one page is in memory. Calls `onNew` after each page with new envelopes.
 */
export async function listEnvelopes(
  { world, database }: Pick<ImportDeps, 'world' | 'database'>,
  running: RunningVendorImport,
  client: VendorClient,
  signal: AbortSignal,
  onNew: () => void,
): Promise<Listing> {
  let found = 0;
  let barren = { pages: 0, envelopes: 0 };
  let count = pageEnvelopes;
  while (!running.vendorImport.is_listed) {
    const { list_from: from, list_position: position, list_anchor: anchor } = running.vendorImport;
    const query = { from: new Date(from), position, count };
    const asked = await client.list(query);
    if (isTooLarge(asked) && count > 1) {
      count = Math.ceil(count / shrinkage);
      continue;
    }
    if (asked.kind === 'refused') return { found, cut: reasons[asked.why] };
    if (asked.kind === 'trouble') {
      await sleep(againMs, undefined, { signal });
      continue;
    }
    const page = asked.value;
    const places = page.envelopes.map((given) => readPlace(given, world.clock.now()));
    const next = nextPage({ from, position, anchor }, { ...page, envelopes: places }, count);
    count = Math.min(count * 2, pageEnvelopes);
    const wanted = page.envelopes
      .map(readEnvelope)
      .filter((envelope) => envelope !== null)
      .filter(({ completedAt }) => completedAt === null || completedAt >= running.earliest);
    const recorded = await database.transaction((tx) => recordPage(world, tx, running, wanted, next));
    running.vendorImport = recorded.vendorImport;
    found += recorded.added;
    if (recorded.added > 0) {
      running.import.total_files += recorded.added;
      barren = { pages: 0, envelopes: 0 };
      onNew();
    } else if (!running.vendorImport.is_listed) {
      barren = { pages: barren.pages + 1, envelopes: barren.envelopes + wanted.length };
      if (isEndless(barren, running.import.total_files)) return { found, cut: 'source_unavailable' };
      await sleep(Math.min(barren.pages * barrenMs, barrenMsMax), undefined, { signal });
    }
  }
  return { found, cut: null };
}

function isTooLarge(asked: VendorReply<EnvelopePage>): boolean {
  if (asked.kind !== 'done') return asked.kind === 'refused' && asked.why === 'too_large';
  const recipients = asked.value.envelopes.reduce<number>((sum, given) => sum + countRecipients(given), 0);
  return recipients > recipientsOfPageMax;
}

/** `pages` in a row had nothing new, and held `envelopes`; the import knows `known` envelopes in all. */
function isEndless({ pages, envelopes }: { pages: number; envelopes: number }, known: number): boolean {
  return pages > emptyPagesMax || (pages > barrenPagesMax && envelopes > passesMax * known);
}
