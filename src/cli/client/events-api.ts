import { createParser } from 'eventsource-parser';
import { errorOf } from '../../../packages/client/src/errors.ts';
import { Refusal } from '../../errors.ts';
import { firstIdAt, madeAt } from '../../platform/ids.ts';
import type { EventType } from '../../webhooks/event-types.ts';
import type { Profile } from './profiles.ts';

/** An event as the stream shows it. */
export interface StreamedEvent {
  id: string;
  type: string;
  /** The body of the webhook request, byte for byte. */
  body: string;
}

const connectMs = 15_000;
/** The server writes at least every 20 seconds. */
const silenceMs = 60_000;
const firstWaitMs = 500;
const waitMsMax = 30_000;
const idsKeptMax = 10_000;

export interface FollowOptions {
  onEvent: (event: StreamedEvent) => Promise<void>;
  /** Called when the stream is open, also after an interruption. */
  onOpen: () => void;
  /** Called when the server can't be reached or the stream breaks. It is tried again after `waitMs`. */
  onInterruption: (reason: string, waitMs: number) => void;
  signal: AbortSignal;
}

/** Events can appear after the start with ids from this long before it. */
const commitMs = 10_000;

/**
 * Follows `GET /events` until `signal` aborts. Reconnects with growing waits, and continues after the last event. Each event comes
 * once.
 *
 * @throws `ApiError` when the server refuses the key.
 */
export async function followStream(connection: Profile, options: FollowOptions): Promise<void> {
  const { signal, onInterruption } = options;
  const seen = new Set<string>();
  let oldest = '';
  let lastId: string | null = null;
  let waitMs = firstWaitMs;

  async function onEvent(event: StreamedEvent): Promise<void> {
    waitMs = firstWaitMs;
    lastId = event.id;
    // A stream that is continued repeats the events of more than a minute, also from before the start.
    if (event.id < oldest || seen.has(event.id)) return;
    seen.add(event.id);
    if (seen.size > idsKeptMax) seen.delete(seen.values().next().value as string);
    await options.onEvent(event);
  }

  function onPosition(id: string): void {
    if (oldest === '') oldest = firstIdAt(new Date(madeAt(id).getTime() - commitMs));
    lastId ??= id;
  }

  while (!signal.aborted) {
    const reason = await followOnce(connection, lastId, { ...options, onEvent, onPosition });
    if (signal.aborted) return;
    onInterruption(reason, waitMs);
    await pause(waitMs, signal);
    waitMs = Math.min(2 * waitMs, waitMsMax);
  }
}

/** Returns why the stream ended. Throws an `ApiError` that no further attempt can change. */
async function followOnce(
  connection: Profile,
  lastId: string | null,
  options: FollowOptions & { onPosition(id: string): void },
): Promise<string> {
  const attempt = new AbortController();
  const end = () => attempt.abort();
  options.signal.addEventListener('abort', end, { once: true });
  let timer = setTimeout(end, connectMs);
  try {
    const headers = { ...headersOf(connection), ...(lastId === null ? {} : { 'last-event-id': lastId }) };
    const response = await fetch(eventsAddress(connection), { headers, redirect: 'manual', signal: attempt.signal });
    await assertStream(response);
    options.onOpen();
    const events: StreamedEvent[] = [];
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (id !== undefined && event !== undefined) events.push({ id, type: event, body: data });
      },
    });
    const decoder = new TextDecoder();
    let opening: string | null = '';
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      clearTimeout(timer);
      const text = decoder.decode(bytes, { stream: true });
      parser.feed(text);
      if (opening !== null) {
        opening += text;
        const end = opening.indexOf('\n\n');
        if (end >= 0) {
          const id = positionIn(opening.slice(0, end));
          if (id !== null) options.onPosition(id);
          opening = null;
        }
      }
      for (const event of events.splice(0)) await options.onEvent(event);
      timer = setTimeout(end, silenceMs);
    }
    return 'the server ended the stream';
  } catch (error) {
    if (error instanceof PassingFailure) return error.message;
    if (error instanceof TypeError || (error as Error).name === 'AbortError') return `no connection${codeOf(error)}`;
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
  }
}

/** Reads the position where a stream starts from its first block, which the parser doesn't report: it has no data. */
function positionIn(block: string): string | null {
  return /^id: (\S+)$/m.exec(block)?.[1] ?? null;
}

/** A failure that may pass. */
class PassingFailure extends Error {
  override name = 'PassingFailure';
}

async function assertStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && type.startsWith('text/event-stream')) return;
  const { status } = response;
  if (status >= 500 || status === 429) throw new PassingFailure(`the server answered ${status}`);
  if (status < 400) throw new Refusal('the server has no event stream at this address: check the base URL');
  throw errorOf(response, await response.json().catch(() => undefined));
}

/** Records a test event. Throws an `ApiError` when the server refuses it. */
export async function triggerEvent(connection: Profile, event: EventType): Promise<{ id: string; event: EventType }> {
  const response = await fetch(eventsAddress(connection), {
    method: 'POST',
    headers: { ...headersOf(connection), 'content-type': 'application/json' },
    body: JSON.stringify({ event }),
    redirect: 'manual',
    signal: AbortSignal.timeout(connectMs),
  }).catch((error) => {
    throw new Refusal(`${connection.base_url}: the server could not be reached${codeOf(error)}`);
  });
  const body = await response.json().catch(() => undefined);
  if (response.status !== 201) throw errorOf(response, body);
  return body as { id: string; event: EventType };
}

/** The events are next to the API, at `/events`. */
function eventsAddress({ base_url }: Profile): string {
  return `${base_url.replace(/\/api\/v1$/, '')}/events`;
}

function headersOf({ api_key }: Profile): Record<string, string> {
  return { authorization: `Bearer ${api_key}` };
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? ` (${cause.code})` : '';
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
