import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  origin: string;
  close(): Promise<void>;
}

export interface ProxyManner {
  /** Headers that it adds to each request. */
  adds?: Record<string, string>;
  /** The `Host` that it sends. By default it passes on the original one. */
  host?: string;
}

/** A reverse proxy on this machine in front of `target`: every connection that the service sees comes from 127.0.0.1. */
export async function startReverseProxy(target: string, { adds = {}, host }: ProxyManner = {}): Promise<ReverseProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((asked, answer) => {
    const headers: IncomingHttpHeaders = { ...asked.headers, ...(host === undefined ? {} : { host }), ...adds };
    const { method, url: path } = asked;
    const passed = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.writeHead(502).end());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
