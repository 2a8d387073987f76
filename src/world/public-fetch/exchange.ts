import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Connection, ConnectionSpentError } from './connection.ts';
import type { Deadline } from './deadlines.ts';
import { exchangeFailure } from './exchange-failure.ts';
import { PublicFetchError } from './public-fetch-error.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface PublicResponse {
  status: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  /**
   * As it came, compressed if so. Read to its end it leaves the connection open for the next request; `destroy` closes
   * it. It fails with a `PublicFetchError`, which need not be listened for. Left alone, it is cut at the deadline.
   */
  body: Readable;
}

const bodyBufferBytes = 65_536;
/** Interim answers before the real one. More than a few are a way to keep us busy. */
const interimAnswersMax = 8;

/**
 * One request on a connection, and the answer as soon as its headers are in. `onIdle` is called when all of the answer
 * has come. Ends the deadline then, and when it fails, unless it throws a `ConnectionSpentError`: a connection that was
 * kept ended, by all that can be seen, before the request reached anybody.
 */
export function exchange(
  connection: Connection,
  request: ExchangeRequest,
  deadline: Deadline,
  isKept: boolean,
  onIdle: () => void,
): Promise<PublicResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<PublicResponse>();
  const { client, socket } = connection;
  const bytesBefore = socket.bytesRead;
  let body: Readable | null = null;
  let hasEnded = false;
  let interimAnswers = 0;

  const fail = (failure: Error) => {
    hasEnded = true;
    reject(failure);
    body?.destroy(failure);
    // With the failure: of a socket that just closes, the client would read on, and fail for having been held back.
    socket.destroy(failure);
    if (!(failure instanceof ConnectionSpentError)) deadline.end();
  };
  deadline.waitFor('for the response headers', fail);
  if (deadline.passed !== null) return promise;

  client.dispatch(request, {
    onRequestStart() {},
    onResponseStart(controller, status, headers) {
      if (status < 200) {
        interimAnswers += 1;
        if (interimAnswers > interimAnswersMax) fail(new PublicFetchError('protocol', 'too many interim answers'));
        return;
      }
      body = new Readable({
        highWaterMark: bodyBufferBytes,
        read: () => controller.resume(),
        destroy(error, done) {
          if (!hasEnded) socket.destroy(error ?? new PublicFetchError('aborted', 'the rest is not wanted'));
          done(error);
        },
      });
      body.on('error', () => {}); // whoever reads it meets the failure there
      deadline.waitFor('for the end of the response', fail);
      resolve({ status, headers, body });
    },
    onResponseData(controller, chunk) {
      if (body?.push(chunk) === false) controller.pause();
    },
    onResponseEnd() {
      hasEnded = true;
      deadline.end();
      body?.push(null);
      onIdle();
    },
    onResponseError(_controller, error) {
      if (hasEnded) return;
      const failure = exchangeFailure(error);
      const isSpent = isKept && isConnectionFailure(failure) && socket.bytesRead === bytesBefore;
      fail(isSpent ? new ConnectionSpentError() : failure);
    },
  });
  return promise;
}

function isConnectionFailure(failure: Error): boolean {
  return failure instanceof PublicFetchError && failure.kind === 'connection';
}
