import { DatabaseFailure } from '../../postgres/database.ts';
import type { ImportMeans } from '../import-means.ts';
import { type Ending, fileEnvelopes } from './file-envelopes.ts';
import type { RunningSweep } from './sweep.ts';

/**
 * Files a batch in one transaction. Where the database refuses what is in it, each is filed in one of its own, so that
 * the envelope it refuses fails alone. Throws what `fileEnvelopes` throws, and when the database cannot be used.
 */
export async function fileBatch(
  means: Pick<ImportMeans, 'world' | 'unlock' | 'database'>,
  running: RunningSweep,
  endings: readonly Ending[],
): Promise<void> {
  const { world, database } = means;
  const [ending] = endings;
  try {
    await database.transaction((tx) => fileEnvelopes(means, tx, running, endings));
    running.sweep = { ...running.sweep, progressed_at: world.clock.now().toISOString() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (ending === undefined || refusal === null) throw error;
    if (endings.length > 1) {
      for (const one of endings) await fileBatch(means, running, [one]);
    } else if (refusal === 'data' && ending.outcome.kind === 'filed') {
      const { claimed } = ending;
      world.log.warn('the database refuses an envelope', {
        import_id: running.import.id,
        item_id: claimed.itemId,
        error,
      });
      const failed = { claimed, outcome: { kind: 'failed', reason: 'download_failed' } } as const;
      await database.transaction((tx) => fileEnvelopes(means, tx, running, [failed]));
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
