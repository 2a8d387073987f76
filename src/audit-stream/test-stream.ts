import { sendBatch } from './send-batch.ts';
import type { StreamTarget } from './sending.ts';
import type { StreamDeps } from './stream-deps.ts';

export type StreamTest = { works: true } | { works: false; reason: string };

/** Sends a test without entries to the destination of a company. Changes nothing. Null when it has no stream. */
export async function testStream(deps: StreamDeps, accountId: string): Promise<StreamTest | null> {
  const [stream] = await deps.db.query<StreamTarget>({
    name: 'read_audit_stream_for_test',
    text: `select account_id, kind, url, secret, case when previous_secret_until > $2 then previous_secret end as previous_secret
           from audit_streams where account_id = $1`,
    values: [accountId, deps.world.clock.now()],
  });
  if (stream === undefined) return null;
  const outcome = await sendBatch(deps, stream, { type: 'test' }, new AbortController().signal);
  switch (outcome.kind) {
    case 'sent':
      return { works: true };
    case 'failed':
      return { works: false, reason: outcome.reason };
    case 'aborted':
      return { works: false, reason: 'the service is stopping' };
  }
}
