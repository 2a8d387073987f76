import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Reads a request to its end. Returns null when its body is longer than `bodyBytesMax`. */
export async function toRequest(
  incoming: IncomingMessage,
  signal: AbortSignal,
  bodyBytesMax: number,
): Promise<Request | null> {
  const { method = 'GET', headers, url = '/' } = incoming;
  const body = await readBody(incoming, bodyBytesMax);
  if (body === null) return null;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(new URL(pathOf(url), 'http://localhost'), {
    method,
    headers: given as [string, string][],
    body: body.length === 0 || method === 'GET' || method === 'HEAD' ? null : body,
    signal,
  });
}

/** A request may name a whole address, or start with `//`, which is a host in a URL. */
function pathOf(url: string): string {
  return `/${url.replace(/^[/\\]+/, '')}`;
}

async function readBody(incoming: IncomingMessage, bodyBytesMax: number): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
    // Leaving the loop breaks the connection. Before, the rest is read, so that the client gets its answer.
    else if (bytes > bodyBytesMax * discardedMax) return null;
  }
  return bytes > bodyBytesMax ? null : Buffer.concat(chunks);
}

/** How many times the maximum is read and discarded. */
const discardedMax = 16;

const privateHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Streams an answer. Ends early, without an error, when the client hangs up. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, { ...privateHeaders, ...Object.fromEntries(response.headers) });
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => {});
}
