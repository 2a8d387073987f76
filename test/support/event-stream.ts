import { createParser } from 'eventsource-parser';
import type { StreamedEvent } from '../../src/cli/client/events-api.ts';
import { eventually } from './service.ts';

export interface OpenStream {
  received: StreamedEvent[];
  /** Whether the server ended it. */
  hasEnded(): boolean;
  /** Waits until so many events have arrived, and returns them. */
  atLeast(count: number): Promise<StreamedEvent[]>;
  close(): void;
}

/** Opens `GET /events` and collects what arrives. Throws when the server refuses. */
export async function openStream(origin: string, key: string, lastEventId?: string): Promise<OpenStream> {
  const aborting = new AbortController();
  const ask = () =>
    fetch(`${origin}/events`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: aborting.signal,
    });
  const began = performance.now();
  let response = await ask();
  // A busy machine may need longer to look up the key than the service waits.
  if (response.status === 500 && performance.now() - began > 2000) response = await ask();
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const received: StreamedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => received.push({ id, type: event, body: data }),
  });
  let hasEnded = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      parser.feed(decoder.decode(bytes, { stream: true }));
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  return {
    received,
    hasEnded: () => hasEnded,
    atLeast: (count) =>
      eventually(
        async () => received,
        (events) => events.length >= count,
      ),
    close: () => aborting.abort(),
  };
}
