import { PassThrough } from 'node:stream';
import { findCaller } from './authorise.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { RawAnswer } from './raw-answer.ts';

export const liveEndpoints: ConsoleEndpoint[] = [forMembers('GET /live', 'member', { isEndless: true }, streamEvents)];

const heartbeatMs = 20_000;
const reconnectMs = 2000;

/**
 * Server-sent events: `documents` whenever a document of the company was made or changed. Ends when the browser goes, and,
 * at the next heartbeat, when the session or the membership has.
 */
async function streamEvents(means: ConsoleMeans, call: MemberCall) {
  const { person, membership } = call.caller;
  const stream = new PassThrough();
  const unwatch = means.live.watch({
    accountId: membership.account_id,
    personId: person.id,
    tell: () => stream.write('event: documents\ndata: {}\n\n'),
    end: () => stream.end(),
  });
  if (unwatch === null) throw new ConsoleError('too_many_tries', { retryAfterSeconds: 60 });
  stream.write(`retry: ${reconnectMs}\n\n`);
  const heartbeat = setInterval(() => {
    stream.write(': still here\n\n');
    assertStillMember(means, call).catch(() => stream.end());
  }, heartbeatMs);
  stream.once('close', () => {
    clearInterval(heartbeat);
    unwatch();
  });
  return new RawAnswer(stream, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
}

/** A page that merely stays open does not keep its session. */
async function assertStillMember({ world, db, origin }: ConsoleMeans, { cookies, caller }: MemberCall): Promise<void> {
  const now = await findCaller(world, db, cookies, origin());
  if (now?.membership?.account_id !== caller.membership.account_id) throw new ConsoleError('not_signed_in');
}
