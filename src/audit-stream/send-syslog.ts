import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicFetchError } from '../public-fetch/public-fetch.ts';
import { syslogServerOf } from './check-destination.ts';
import type { Sending, StreamTarget } from './sending.ts';
import type { StreamDeps } from './stream-deps.ts';
import { entryFrame, syslogHostOf, testFrame } from './syslog-frame.ts';

/** A server that hangs up within this time after the last byte has not read to the end. */
const graceMs = 200;

/**
 * Sends each entry as a syslog message over one connection. Syslog has no answers, so the end of the connection is the proof:
 * a server that has read everything closes its side after ours (RFC 5425, 4.4). Throws a `PublicFetchError`.
 */
export async function sendSyslog(
  { world, publicFetch, timeoutMs, origin }: StreamDeps,
  { account_id: accountId, url }: StreamTarget,
  sending: Sending,
  signal: AbortSignal,
): Promise<null> {
  const startedAt = performance.now();
  const host = syslogHostOf(origin());
  const frames =
    sending.type === 'test'
      ? [testFrame(world.clock.now(), accountId, host)]
      : sending.entries.map((entry) => entryFrame(entry, accountId, host));
  const socket = await publicFetch.openSocket(syslogServerOf(url), { timeoutMs, signal });
  const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt));
  await deliver(socket, Buffer.concat(frames), leftMs, signal);
  return null;
}

async function deliver(socket: Socket, bytes: Buffer, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  closed.catch(() => {}); // may fail while the bytes are written
  let isEnding = false;
  let hasEnded = false;
  const fail = (error: PublicFetchError) => {
    reject(error);
    socket.destroy();
  };
  const late = () =>
    fail(
      new PublicFetchError(
        'timeout',
        isEnding
          ? 'the server did not close the connection after the messages, so nobody knows whether it has read them'
          : `the server did not read the messages within ${timeoutMs} ms`,
      ),
    );
  const timer = setTimeout(late, timeoutMs);
  const abort = () => fail(new PublicFetchError('aborted', 'the call was aborted'));
  signal.addEventListener('abort', abort);
  socket.on('error', () => fail(new PublicFetchError('connection', 'the connection broke while messages were sent')));
  socket.on('end', () => {
    if (isEnding) hasEnded = true;
    else fail(new PublicFetchError('connection', 'the server hung up before it had read all messages'));
  });
  socket.on('close', () => {
    if (hasEnded) resolve();
    else reject(new PublicFetchError('connection', 'the connection broke before the server had read all messages'));
  });
  socket.resume(); // servers of syslog send nothing; without reading, the end would not be seen
  try {
    if (signal.aborted) abort();
    await Promise.race([new Promise<void>((written) => socket.write(bytes, () => written())), closed]);
    await Promise.race([sleep(graceMs), closed]);
    isEnding = true;
    socket.end();
    await closed;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}
