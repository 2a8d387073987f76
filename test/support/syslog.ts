import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A message of RFC 5424, read from a frame of RFC 5425. */
export interface SyslogMessage {
  facility: number;
  severity: number;
  time: string;
  host: string;
  app: string;
  process: string;
  id: string;
  structured: string;
  // biome-ignore lint/suspicious/noExplicitAny: a message is whatever the test expects it to be
  json: any;
  /** Number of the connection that it came on. */
  connection: number;
}

export interface SyslogServer {
  port: number;
  received: SyslogMessage[];
  /** Errors of framing or syntax. Any of them is a fault of the sender. */
  faults: string[];
  /** What the server does with connections from now on. `hang-up`: ends at once. `stay`: never ends its side. */
  mode: 'read' | 'hang-up' | 'reset' | 'stay';
  connections(): number;
  /** Protocols that the TLS handshakes negotiated. */
  protocols: (string | false | null)[];
  stop(): Promise<void>;
}

/** A syslog server that reads everything and closes its side after the sender's, as RFC 5425 asks. Without `tls`: plain TCP. */
export async function startSyslogServer(tls?: { key: string; cert: string }): Promise<SyslogServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const take = (socket: Socket & { alpnProtocol?: string | false | null }) => {
    const number = ++connections;
    server.protocols.push(socket.alpnProtocol ?? null);
    socket.on('error', () => {});
    if (server.mode === 'hang-up') return void socket.end();
    if (server.mode === 'reset') {
      const raw = [...sockets].find(({ remotePort }) => remotePort === socket.remotePort);
      return void socket.once('data', () => raw?.resetAndDestroy());
    }
    const { mode } = server;
    let unread: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      unread = readFrames(Buffer.concat([unread, chunk]), number);
    });
    socket.once('end', () => {
      if (unread.length > 0) server.faults.push(`ends within a frame: ${unread}`);
      if (mode !== 'stay') socket.end();
    });
  };
  const readFrames = (bytes: Buffer, connection: number): Buffer => {
    for (;;) {
      const space = bytes.indexOf(' ');
      if (space === -1) return bytes;
      const length = /^[1-9]\d*$/.test(bytes.subarray(0, space).toString()) ? Number(bytes.subarray(0, space)) : null;
      if (length === null) {
        server.faults.push(`no length: ${bytes.subarray(0, 40)}`);
        return Buffer.alloc(0);
      }
      if (bytes.length < space + 1 + length) return bytes;
      const message = parse(bytes.subarray(space + 1, space + 1 + length).toString('latin1'), connection);
      if (message === null) server.faults.push(`no message: ${bytes.subarray(space + 1, space + 1 + length)}`);
      else server.received.push(message);
      bytes = bytes.subarray(space + 1 + length);
    }
  };
  const server: SyslogServer = {
    port: 0,
    received: [],
    faults: [],
    mode: 'read',
    connections: () => connections,
    protocols: [],
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
  const options = { allowHalfOpen: true };
  const listening: Server =
    tls === undefined ? createServer(options, take) : createTlsServer({ ...tls, ...options }, take);
  listening.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  server.port = (listening.address() as AddressInfo).port;
  return server;
}

const visible = '[\\x21-\\x7e]';
const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?(?:Z|[+-]\\d\\d:\\d\\d)';
const syntax = new RegExp(
  `^<(\\d{1,3})>1 (-|${time}) (${visible}{1,255}) (${visible}{1,48}) (${visible}{1,128}) (${visible}{1,32}) (-|\\[.+\\]) (.*)$`,
);

function parse(text: string, connection: number): SyslogMessage | null {
  const [, priority, at, host, app, pid, id, structured, message] = syntax.exec(text) ?? [];
  if (message === undefined || Number(priority) > 191) return null;
  return {
    facility: Math.floor(Number(priority) / 8),
    severity: Number(priority) % 8,
    time: at as string,
    host: host as string,
    app: app as string,
    process: pid as string,
    id: id as string,
    structured: structured as string,
    json: JSON.parse(message),
    connection,
  };
}
