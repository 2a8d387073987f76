import { PassThrough } from 'node:stream';
import { findCaller } from './authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { RawAnswer } from './raw-answer.ts';

export const liveEndpoints = [forMembers('GET /live', 'member', { isEndless: true }, streamEvents)];

const heartbeatMs = 20_000;
const reconnectMs = 2000;

/**
 * Sends a server-sent event `documents` when a document of the company is created or changed. The stream ends when the
 * browser closes it. It also ends at the next heartbeat after the session or the membership has ended.
 */
async function streamEvents(deps: ConsoleDeps, call: MemberCall) {
  const { person, membership } = call.caller;
  const stream = new PassThrough();
  const unwatch = deps.live.watch({
    accountId: membership.account_id,
    watcherId: person.id,
    via: 'console',
    tell: () => stream.write('event: documents\ndata: {}\n\n'),
    end: () => stream.end(),
  });
  if (typeof unwatch === 'string') throw new ConsoleError('too_many_tries', { retryAfterSeconds: 60 });
  stream.write(`retry: ${reconnectMs}\n\n`);
  const heartbeat = setInterval(() => {
    stream.write(': still here\n\n');
    assertStillMember(deps, call).catch(() => stream.end());
  }, heartbeatMs);
  stream.once('close', () => {
    clearInterval(heartbeat);
    unwatch();
  });
  return new RawAnswer(stream, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
}

/** Checks the session without extending it: an open page does not keep a session alive. */
async function assertStillMember({ world, db, origin }: ConsoleDeps, { cookies, caller }: MemberCall): Promise<void> {
  const now = await findCaller(world, db, cookies, origin());
  if (now?.membership?.account_id !== caller.membership.account_id) throw new ConsoleError('not_signed_in');
}
