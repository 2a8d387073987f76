import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { PublicFetchError } from './public-fetch-error.ts';

/** An HTTP/1.1 connection to one vetted address, for one request at a time. */
export interface Connection {
  /** Of its end: what a request must be for to use it. */
  key: string;
  client: Client;
  socket: Socket;
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
const headerBytesMax = 16_384;

/** An HTTP client on a socket that is connected already; it never opens another one. */
export function openConnection(end: ConnectionEnd, socket: Socket): Connection {
  const HttpClient = loadClient();
  let isTaken = false;
  const client = new HttpClient(end.origin, {
    connect(_options, done) {
      const isFirst = !isTaken;
      isTaken = true;
      // Answered at once, the client would not notice.
      queueMicrotask(() => (isFirst ? done(null, socket) : done(new ConnectionSpentError(), null)));
    },
    maxHeaderSize: headerBytesMax,
    // A receiver that says how long it keeps a connection is believed, up to this.
    keepAliveTimeout: idleMsMax,
    keepAliveMaxTimeout: idleMsMax,
    // One deadline covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  return { key: connectionKey(end), client, socket };
}

export function connectionKey({ origin, address, keptFor }: ConnectionEnd): string {
  return `${origin} ${address} ${keptFor}`;
}

const require = createRequire(import.meta.url);
let clientClass: typeof Client | undefined;

/** When first needed, and without the rest of the package: that takes three times as long and twice the memory. */
function loadClient(): typeof Client {
  clientClass ??= require('undici/lib/dispatcher/client.js') as typeof Client;
  return clientClass;
}
