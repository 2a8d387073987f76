import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long what clients send may take. */
export interface ArrivalLimits {
  /** Of every request, from its headers to the end of its body. */
  requestMs: number;
  /** Of one that brings a file, which may be large and the line slow. */
  uploadMs: number;
  /** Of one that brings a file, too: in each span of time at least so many bytes, so that none drips for that long. */
  spanMs: number;
  spanBytesMin: number;
}

const checkMs = 1000;
const uploads = new WeakSet<IncomingMessage>();

/**
 * Gives a request the time of a file. Called once it is known that who sends it may: everybody else has the time of an
 * ordinary request.
 */
export function allowUpload(request: IncomingMessage): void {
  uploads.add(request);
}

interface Arriving {
  request: IncomingMessage;
  since: number;
  spanSince: number;
  /** What the socket had read when the span began. */
  spanBytes: number;
}

/**
 * Calls `onLate` for a request whose body does not arrive in time, by the machine's own time. Node's limit is one for all
 * requests: it has to be that of the slowest.
 */
export function boundArrival(server: Server, limits: ArrivalLimits, onLate: (socket: Socket) => void): void {
  // One for each connection: the next request comes when the one before has arrived.
  const arriving = new Map<Socket, Arriving>();
  server.on('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    const now = performance.now();
    const { socket } = request;
    arriving.set(socket, { request, since: now, spanSince: now, spanBytes: socket.bytesRead });
  });
  const check = () => {
    const now = performance.now();
    for (const [socket, entry] of arriving) {
      if (entry.request.complete || socket.destroyed) arriving.delete(socket);
      else if (isLate(limits, entry, socket, now)) {
        arriving.delete(socket);
        onLate(socket);
      }
    }
  };
  const timer = setInterval(check, Math.min(checkMs, limits.requestMs)).unref();
  server.on('close', () => clearInterval(timer));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isLate(limits: ArrivalLimits, entry: Arriving, { bytesRead }: Socket, now: number): boolean {
  if (!uploads.has(entry.request)) return now - entry.since > limits.requestMs;
  if (now - entry.since > limits.uploadMs) return true;
  if (now - entry.spanSince < limits.spanMs) return false;
  const isTooSlow = bytesRead - entry.spanBytes < limits.spanBytesMin;
  entry.spanSince = now;
  entry.spanBytes = bytesRead;
  return isTooSlow;
}
