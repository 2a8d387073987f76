import { DatabaseFailure } from '../../postgres/database.ts';
import type { ImportDeps } from '../import-deps.ts';
import { type Ending, storeEnvelopes } from './store-envelopes.ts';
import type { RunningVendorImport } from './vendor-import.ts';

/**
 * Files a batch in one transaction. Where the database refuses what is in it, each is filed in one of its own, so that
 * the envelope it refuses fails alone. Throws what `storeEnvelopes` throws, and when the database cannot be used.
 */
export async function storeBatch(
  deps: Pick<ImportDeps, 'world' | 'unlock' | 'database'>,
  running: RunningVendorImport,
  endings: readonly Ending[],
): Promise<void> {
  const { world, database } = deps;
  const [ending] = endings;
  try {
    await database.transaction((tx) => storeEnvelopes(deps, tx, running, endings));
    running.vendorImport = { ...running.vendorImport, progressed_at: world.clock.now().toISOString() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (ending === undefined || refusal === null) throw error;
    if (endings.length > 1) {
      for (const one of endings) await storeBatch(deps, running, [one]);
    } else if (refusal === 'data' && ending.outcome.kind === 'filed') {
      const { claimed } = ending;
      world.log.warn('the database refuses an envelope', {
        import_id: running.import.id,
        item_id: claimed.itemId,
        error,
      });
      const failed = { claimed, outcome: { kind: 'failed', reason: 'download_failed' } } as const;
      await database.transaction((tx) => storeEnvelopes(deps, tx, running, [failed]));
    } else throw error;
  }
}

/* biome-ignore format: a table reads as a table */
const refusals: ReadonlyArray<[sqlState: RegExp, of: 'data' | 'size']> = [
  [/^22/,             'data'], // data exception: a time or a number that the column cannot hold
  [/^23(?:502|514)$/, 'data'], // not null, check
  [/^54/,             'data'], // program limit exceeded
  [/^57014$/,         'size'], // the statement's time is over, which says nothing of what is in one envelope
];

/** Of what is in it, of how much there is, or null: of something else. */
function refusalOf(error: unknown): 'data' | 'size' | null {
  const code = error instanceof DatabaseFailure ? (error.cause as { code?: unknown }).code : null;
  if (typeof code !== 'string') return null;
  return refusals.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
