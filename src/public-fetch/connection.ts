import { Agent, type ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { PublicFetchError } from './public-fetch-error.ts';

/** An HTTP/1.1 connection to one checked address, with one request at a time. */
export interface Connection {
  /** Key of its destination. A request needs the same key to use it. */
  key: string;
  /** The `Host` header. */
  host: string;
  agent: Agent;
  socket: Socket;
  /** Called after each complete answer, when the connection can be used again. */
  onIdle: () => void;
}

/**
 * Thrown when a kept connection apparently ended before the request was sent. The request can be retried on another
 * one.
 */
export class ConnectionSpentError extends PublicFetchError {
  constructor() {
    super('connection', 'the connection ended before the request');
  }
}

/** Destination of a connection, and the owner it is kept for. */
export interface ConnectionEnd {
  origin: string;
  address: string;
  keptFor: string;
}

const idleMsMax = 15_000;

/** Creates an HTTP client on a connected socket. It never opens another one. */
export function openConnection(end: ConnectionEnd, socket: Socket): Connection {
  const agent = new SocketAgent(socket, () => connection.onIdle());
  const connection = { key: connectionKey(end), host: new URL(end.origin).host, agent, socket, onIdle: () => {} };
  return connection;
}

export function connectionKey({ origin, address, keptFor }: ConnectionEnd): string {
  return `${origin} ${address} ${keptFor}`;
}

/**
 * Node's HTTP client on one socket. An idle socket closes after 15 s, or one second before the receiver's stated limit.
 * It closes at once if it receives bytes that no request has asked for.
 */
class SocketAgent extends Agent {
  readonly #socket: Socket;
  readonly #onIdle: () => void;
  readonly #refuse: () => void;
  #isTaken = false;

  constructor(socket: Socket, onIdle: () => void) {
    super({ keepAlive: true, timeout: idleMsMax });
    this.#socket = socket;
    this.#onIdle = onIdle;
    this.#refuse = () => socket.destroy();
  }

  override createConnection(): Socket {
    if (this.#isTaken) throw new ConnectionSpentError();
    this.#isTaken = true;
    return this.#socket;
  }

  /** Returns whether to keep the socket. Node's types omit this result. */
  override keepSocketAlive(socket: Socket): boolean {
    if (!(super.keepSocketAlive as (socket: Socket) => boolean).call(this, socket)) return false;
    socket.on('data', this.#refuse).resume();
    this.#onIdle();
    return true;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    socket.off('data', this.#refuse);
    super.reuseSocket(socket, request);
  }
}
