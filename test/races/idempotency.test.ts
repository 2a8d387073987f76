import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimIdempotencyKey, type IdempotencyClaim, tryLockKey } from '../../src/api/idempotency.ts';
import { answerHeld, holdIdempotencyKey } from '../../src/api/idempotency-lease.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';

/** A request is repeated while the first one ends, between the statements with which the repeated one looks for it. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const answer = { status: 201, body: '{"id":"1"}' };
const dayAgo = () => new Date(app.world.clock.now().getTime() - 86_400_000);

const hold = (tx: Tx, claim: IdempotencyClaim) => holdIdempotencyKey(app.world, tx, claim, dayAgo());

/** Runs one statement after the other, and `act` before the one with this name. */
function withPause(tx: Tx, statement: string, act: () => Promise<void>): Tx {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...tx,
    query: (query) => {
      const result = last.then(async () => {
        if (query.name === statement) await act();
        return tx.query(query);
      });
      last = result;
      return result as never;
    },
  };
}

test.each(['lock_idempotency_key', 'find_idempotency_lease', 'find_idempotency_record'])(
  'when the first one ends before %s, the answer is replayed',
  async (statement) => {
    const claim = {
      ...{ accountId: company.id, endpoint: 'POST /imports', key: randomUUID() },
      ...{ requestSha256: randomBytes(32), requestId: randomUUID() },
    };
    const first = await app.db.transaction((tx) => hold(tx, claim));
    if (!('held' in first)) throw new Error('the key is free at first');
    await expect(app.db.transaction((tx) => hold(tx, claim))).rejects.toThrow(
      expect.objectContaining({ code: 'idempotency_in_progress' }),
    );
    const end = () => app.db.transaction((tx) => answerHeld(tx, first.held, answer, app.world.clock.now()));
    const repeated = await app.db.transaction((tx) => hold(withPause(tx, statement, end), claim));
    expect(repeated).toEqual({ earlier: { ...answer, replayed: { requestId: claim.requestId } } });
  },
);

test('once it has ended, every repetition is answered, also while another one has the lock', async () => {
  const claim = {
    ...{ accountId: company.id, endpoint: 'POST /imports', key: randomUUID() },
    ...{ requestSha256: randomBytes(32), requestId: randomUUID() },
  };
  const first = await app.db.transaction((tx) => hold(tx, claim));
  if (!('held' in first)) throw new Error('the key is free at first');
  await app.db.transaction((tx) => answerHeld(tx, first.held, answer, app.world.clock.now()));
  const replayed = { ...answer, replayed: { requestId: claim.requestId } };
  await app.db.transaction(async (other) => {
    expect(await tryLockKey(other, claim)).toBe(true);
    expect(await app.db.transaction((tx) => hold(tx, claim))).toEqual({ earlier: replayed });
    expect(await app.db.transaction((tx) => claimIdempotencyKey(tx, claim, dayAgo()))).toEqual(replayed);
    const changed = { ...claim, requestSha256: randomBytes(32) };
    await expect(app.db.transaction((tx) => claimIdempotencyKey(tx, changed, dayAgo()))).rejects.toThrow(
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    );
  });
});
