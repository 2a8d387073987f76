import { connect } from 'node:net';
import type { Answer } from '../support/service.ts';

/** A piece to send. `'end'` closes our half of the connection. */
export type Piece = string | Uint8Array | 'end';

/**
 * Sends bytes through a socket, for requests that no HTTP client would send. Reads until the server closes, so a valid
 * request should have `Connection: close`. Returns the first answer, or null if the server closed without one.
 */
export async function exchange(origin: string, ...pieces: Piece[]): Promise<Answer | null> {
  return (await exchangeAll(origin, ...pieces))[0] ?? null;
}

/** Returns all answers on the connection, in order. */
export function exchangeAll(origin: string, ...pieces: Piece[]): Promise<Answer[]> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(parseAnswers(Buffer.concat(chunks))));
    // The server may close while the test still writes. Its earlier answer counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const piece of pieces) {
      if (piece === 'end') socket.end();
      else socket.write(piece);
    }
  });
}

function parseAnswers(bytes: Buffer): Answer[] {
  const split = bytes.indexOf('\r\n\r\n');
  if (split === -1) return [];
  const [statusLine = '', ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const end = split + 4 + Number(headers.get('content-length') ?? 0);
  const text = bytes.subarray(split + 4, end).toString();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  const answer = { status: Number(statusLine.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : null };
  return [answer, ...parseAnswers(bytes.subarray(end))];
}
