import { Type } from 'typebox';
import { findRecord, lockKey, rememberAnswer, requestDigest } from '../../api/idempotency.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import type { ConsoleDeps, MemberCall } from '../core/console-endpoint.ts';

/** The part of a body that names the request: a random UUID of the page. */
export const withRequestId = Type.Object({ request_id: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}$' })) });

const keptMs = 86_400_000;

/**
 * Creates something in a transaction, and answers with its id. A page repeats a request when the answer was lost: within a day, the
 * same id of a request creates nothing more and has the same answer. `path`: what is created, and from what.
 */
export function createOnce(
  { world, db }: ConsoleDeps,
  call: MemberCall<{ request_id?: string }>,
  path: string,
  create: (tx: Tx) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  return db.transaction((tx) =>
    runOnce(world, tx, call, path, async () => {
      const { id } = await create(tx);
      return { id };
    }),
  );
}

/** Runs `work` in the transaction and remembers its answer. For the same id of a request, answers so again without running it. */
export async function runOnce<Answer>(
  world: World,
  tx: Tx,
  { caller, body: { request_id: requestId } }: MemberCall<{ request_id?: string }>,
  path: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (requestId === undefined) return work();
  const claim = {
    accountId: caller.membership.account_id,
    endpoint: `console ${path}`,
    key: `${caller.person.id} ${requestId}`,
    requestSha256: requestDigest({}),
    requestId,
  };
  await lockKey(tx, claim);
  const now = world.clock.now();
  const earlier = await findRecord(tx, claim, new Date(now.getTime() - keptMs));
  if (earlier !== null) return JSON.parse(earlier.body) as Answer;
  const answer = await work();
  await rememberAnswer(tx, claim, { status: 200, body: JSON.stringify(answer ?? null) }, now);
  return answer;
}
