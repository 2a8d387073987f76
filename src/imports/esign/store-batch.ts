import { DatabaseFailure } from '../../postgres/database.ts';
import type { ImportDeps } from '../import-deps.ts';
import { type EnvelopeResult, storeEnvelopes } from './store-envelopes.ts';
import type { RunningVendorImport } from './vendor-import.ts';

/**
 * Stores a batch in one transaction. If the database refuses the batch's data, each envelope is stored in its own
 * transaction, so that only the refused one fails. Throws what `storeEnvelopes` throws, and when the database is down.
 */
export async function storeBatch(
  deps: Pick<ImportDeps, 'world' | 'unlock' | 'database'>,
  running: RunningVendorImport,
  results: readonly EnvelopeResult[],
): Promise<void> {
  const { world, database } = deps;
  const [result] = results;
  try {
    await database.transaction((tx) => storeEnvelopes(deps, tx, running, results));
    running.vendorImport = { ...running.vendorImport, progressed_at: world.clock.now().toISOString() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (result === undefined || refusal === null) throw error;
    if (results.length > 1) {
      for (const one of results) await storeBatch(deps, running, [one]);
    } else if (refusal === 'data' && result.outcome.kind === 'filed') {
      const { claimed } = result;
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
  [/^57014$/,         'size'], // statement timeout: too much at once, whatever one envelope holds
];

/** Whether the database refused the batch for its data or for its size. Null for any other error. */
function refusalOf(error: unknown): 'data' | 'size' | null {
  const code = error instanceof DatabaseFailure ? (error.cause as { code?: unknown }).code : null;
  if (typeof code !== 'string') return null;
  return refusals.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
