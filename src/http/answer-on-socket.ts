import type { Socket } from 'node:net';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { World } from '../platform/world.ts';
import { errorEnvelope } from './envelope.ts';
import { newRequestId } from './request-id.ts';
import type { Headers } from './security-headers.ts';

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export interface SocketAnswerOptions {
  docsUrl: string;
  /** Headers of every answer. */
  headers: Headers;
}

/**
 * Answers a request that Node could not parse, by the code of Node's error. There is no reply object, so the answer is
 * written to the socket, which is then closed.
 */
export function answerOnSocket(
  world: World,
  { docsUrl, headers }: SocketAnswerOptions,
  socket: Socket,
  code: string | undefined,
): void {
  // Browsers open connections ahead of use. On one of them an answer would be taken for that of the next request.
  const isUnused = code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (code === 'ECONNRESET' || isUnused || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = new ApiError(codes[code ?? ''] ?? 'malformed_request');
  const requestId = newRequestId(world);
  const body = JSON.stringify(errorEnvelope(answer, requestId, docsUrl));
  socket.end(
    `HTTP/1.1 ${answer.status} Bad Request\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Connection: close\r\n\r\n${body}`,
  );
  world.log.debug('request refused before it was complete', { code: answer.code, request_id: requestId });
}
