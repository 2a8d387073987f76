import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy for CONNECT, which really connects. */
export interface ConnectProxy {
  host: string;
  /** All requested targets, in order. */
  asked: Array<{ target: string; headers: IncomingHttpHeaders }>;
  /** Null: it connects, or answers 502 if it cannot. Otherwise it refuses every call with this status, or does not answer. */
  refusal: number | 'silence' | null;
  /** Header lines of a refusal, such as `x-smokescreen-error: denied`. */
  refusalHeaders: string[];
  /** Closes every connection through the proxy. */
  hangUp(): void;
  close(): Promise<void>;
}

/** With `tls`, clients connect to the proxy over https. */
export async function startConnectProxy(tls?: { key: string; cert: string }): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
  };
  server.on('connection', keep);
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    keep(client);
    proxy.asked.push({ target: url, headers });
    if (proxy.refusal === 'silence') return;
    const refuse = (status: number) => {
      const lines = [`HTTP/1.1 ${status} No`, 'content-length: 0', ...proxy.refusalHeaders];
      client.end(`${lines.join('\r\n')}\r\n\r\n`);
    };
    if (proxy.refusal !== null) return refuse(proxy.refusal);
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
    onward.once('error', () => refuse(502));
    onward.once('connect', () => {
      keep(onward);
      onward.on('close', () => client.destroy());
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(onward).pipe(client);
    });
    client.on('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ConnectProxy = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    refusal: null,
    refusalHeaders: [],
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      proxy.hangUp();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
