import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Time limits for receiving requests. */
export interface ArrivalLimits {
  /** For every request, from its headers to the end of its body. */
  requestMs: number;
  /** For a request with a file, which may be large and slow. */
  uploadMs: number;
  /** A file must also bring at least `spanBytesMin` in each span of `spanMs`, so that it cannot drip. */
  spanMs: number;
  spanBytesMin: number;
}

const checkMs = 1000;
const uploads = new WeakSet<IncomingMessage>();

/** Gives a request the time limit of a file. Call it only after the sender is authorised. */
export function allowUpload(request: IncomingMessage): void {
  uploads.add(request);
}

interface Arriving {
  request: IncomingMessage;
  since: number;
  spanSince: number;
  /** Bytes that the socket had read when the span began. */
  spanBytes: number;
}

/**
 * Calls `onLate` for a request whose body does not arrive in time. Node has only one limit for all requests, which
 * would have to be the longest.
 */
export function boundArrival(server: Server, limits: ArrivalLimits, onLate: (socket: Socket) => void): void {
  // One entry for each connection, because its next request starts after the previous one has arrived.
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
