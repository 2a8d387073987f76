import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Connection, ConnectionSpentError } from './connection.ts';
import type { Deadline } from './deadlines.ts';
import { exchangeFailure } from './exchange-failure.ts';
import { PublicFetchError } from './public-fetch-error.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST';
  /** Path with the query. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface PublicResponse {
  status: number;
  /** Header names are in lower case. */
  headers: IncomingHttpHeaders;
  /**
   * The body as received, not decompressed. Reading it to the end keeps the connection for the next request; `destroy`
   * closes it. It fails with a `PublicFetchError`, which needs no listener. If nobody reads it, it is aborted at the
   * deadline.
   */
  body: Readable;
}

const bodyBufferBytes = 65_536;
const headerBytesMax = 16_384;
/** Maximum of interim answers. More would keep the service busy. */
const interimAnswersMax = 8;

/**
 * Sends a request on a connection and returns the answer when its headers have arrived. Interim answers (1xx) are
 * skipped, also unexpected ones (RFC 9110, 15.2). 101 fails, because the receiver then speaks another protocol. So does a
 * status below 100, which the parser accepts.
 * `onIdle` is called after the complete answer. The deadline ends then or on failure, except for a
 * `ConnectionSpentError`: a kept connection apparently ended before the request arrived.
 */
export function exchange(
  connection: Connection,
  request: ExchangeRequest,
  deadline: Deadline,
  isKept: boolean,
  onIdle: () => void,
): Promise<PublicResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<PublicResponse>();
  const { socket } = connection;
  const bytesBefore = socket.bytesRead;
  let body: Readable | null = null;
  let hasEnded = false;
  let interimAnswers = 0;

  const fail = (failure: Error) => {
    if (hasEnded) return;
    hasEnded = true;
    reject(failure);
    body?.destroy(failure);
    socket.destroy();
    if (!(failure instanceof ConnectionSpentError)) deadline.end();
  };
  deadline.waitFor('for the response headers', fail);
  if (deadline.passed !== null) return promise;

  connection.onIdle = onIdle;
  const outgoing = send(connection, request, fail);
  if (outgoing === null) return promise;
  outgoing.on('error', (error) => {
    const failure = exchangeFailure(error);
    fail(
      isKept && isConnectionFailure(failure) && socket.bytesRead === bytesBefore ? new ConnectionSpentError() : failure,
    );
  });
  outgoing.on('information', () => {
    interimAnswers += 1;
    if (interimAnswers > interimAnswersMax) fail(new PublicFetchError('protocol', 'too many interim answers'));
  });
  const failForSwitch = () => fail(new PublicFetchError('protocol', 'the response is not what HTTP allows here'));
  outgoing.on('upgrade', failForSwitch);
  outgoing.on('response', (response) => {
    const status = response.statusCode as number;
    if (status === 101) return failForSwitch();
    if (status < 200) return fail(new PublicFetchError('protocol', 'the response has an invalid status'));
    body = new Readable({
      highWaterMark: bodyBufferBytes,
      read: () => response.resume(),
      destroy(error, done) {
        if (!hasEnded) socket.destroy();
        done(error ?? null);
      },
    });
    body.on('error', () => {}); // the reader of the body gets the failure
    response.on('data', (chunk) => {
      if (body?.push(chunk) === false) response.pause();
    });
    response.on('error', (error) => fail(exchangeFailure(error)));
    response.on('end', () => {
      hasEnded = true;
      deadline.end();
      body?.push(null);
    });
    deadline.waitFor('for the end of the response', fail);
    resolve({ status, headers: response.headers, body });
  });
  return promise;
}

/** Sends the request. If the caller's headers are invalid it calls `fail`, sends nothing and returns null. */
function send(
  { agent, host }: Connection,
  { method, path, headers, body }: ExchangeRequest,
  fail: (error: Error) => void,
): ClientRequest | null {
  const framing = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body ?? '') };
  const all = { host, connection: 'keep-alive', ...headers, ...framing };
  try {
    return httpRequest({ agent, method, path, headers: all, maxHeaderSize: headerBytesMax }).end(body);
  } catch (error) {
    fail(error as Error);
    return null;
  }
}

function isConnectionFailure(failure: Error): boolean {
  return failure instanceof PublicFetchError && failure.kind === 'connection';
}
