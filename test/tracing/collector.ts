import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

export interface Export {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Collector {
  origin: string;
  exports: Export[];
  /** Every span received so far as OTLP JSON. */
  spans(): CollectedSpan[];
  stop(): Promise<void>;
}

/** An OTLP collector that accepts everything and keeps it. */
export async function startCollector(): Promise<Collector> {
  const exports: Export[] = [];
  const server = createServer(async (request, response) => {
    exports.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    spans: () =>
      exports
        .flatMap(({ body }) => JSON.parse(body.toString('utf8')).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
