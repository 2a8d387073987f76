import { Agent, type ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { PublicFetchError } from './public-fetch-error.ts';

/** An HTTP/1.1 connection to one vetted address, for one request at a time. */
export interface Connection {
  /** Of its end: what a request must be for to use it. */
  key: string;
  /** The `Host` header. */
  host: string;
  agent: Agent;
  socket: Socket;
  /** Called each time the connection has taken in a whole answer and can be used again. */
  onIdle: () => void;
}

/** The connection had ended before its request was, as far as can be seen: another one can be tried. */
export class ConnectionSpentError extends PublicFetchError {
  constructor() {
    super('connection', 'the connection ended before the request');
  }
}

/** Where a connection leads, and for whom it is kept. */
export interface ConnectionEnd {
  origin: string;
  address: string;
  keptFor: string;
}

const idleMsMax = 15_000;

/** An HTTP client on a socket that is connected already; it never opens another one. */
export function openConnection(end: ConnectionEnd, socket: Socket): Connection {
  const agent = new SocketAgent(socket, () => connection.onIdle());
  const connection = { key: connectionKey(end), host: new URL(end.origin).host, agent, socket, onIdle: () => {} };
  return connection;
}

export function connectionKey({ origin, address, keptFor }: ConnectionEnd): string {
  return `${origin} ${address} ${keptFor}`;
}

/**
 * Node's HTTP client on one socket. An idle socket closes after 15 s, or one second before the receiver says it will, and
 * at once when bytes come on it: no request has asked for them.
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

  /** Says whether to keep it; the types of Node do not know that. */
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
