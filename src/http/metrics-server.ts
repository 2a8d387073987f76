import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenError } from './listen-error.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';
import type { Metrics } from './metrics.ts';
import { baseHeaders } from './security-headers.ts';

export interface MetricsServer {
  stop(): Promise<void>;
}

/**
 * Serves only `/metrics`, on METRICS_HOST and METRICS_PORT, in every role. Anyone who can reach the address may read
 * it, because the numbers name no document and no person. On a loopback address the request must use a loopback name,
 * which stops DNS rebinding.
 * Throws an `OperatorError` if it cannot listen.
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    answer(metrics, request, response).catch(() => response.headersSent || response.writeHead(500).end());
  });
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, { host, port, hostSetting: 'METRICS_HOST', portSetting: 'METRICS_PORT' });
  }
  return {
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || url.split('?')[0] !== '/metrics' || isRebound(request)) {
    response.writeHead(404, { ...baseHeaders, 'content-type': 'text/plain; charset=utf-8' }).end('Not found.\n');
    return;
  }
  const text = await metrics.text();
  const length = Buffer.byteLength(text);
  response.writeHead(200, { ...baseHeaders, 'content-type': metrics.contentType, 'content-length': length });
  response.end(method === 'HEAD' ? undefined : text);
}

function isRebound({ socket, headers }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.localAddress ?? '') && !isLoopbackHost(headers.host ?? '');
}
