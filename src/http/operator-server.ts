import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CustomHosts } from './custom-host.ts';
import { type Health, statusOf } from './health.ts';
import { listenError } from './listen-error.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';
import type { Metrics } from './metrics.ts';
import { baseHeaders } from './security-headers.ts';
import { tlsAskStatus } from './tls-ask.ts';

export interface OperatorServer {
  stop(): Promise<void>;
}

export interface OperatorServerOptions {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  health: Health;
  customHosts: CustomHosts;
  host: string;
  port: number;
}

/**
 * Serves only `/metrics`, `/health/live`, `/health/ready` and `/tls/ask`, on METRICS_HOST and METRICS_PORT, in every role:
 * a worker has no other port. Anyone who can reach the address may read them, because they name no document and no
 * person. On a loopback address the request must use a loopback name, which stops DNS rebinding.
 * Throws an `OperatorError` if it cannot listen.
 */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { host, port } = options;
  const server = createServer((request, response) => {
    answer(options, request, response).catch(() => response.headersSent || response.writeHead(500).end());
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

interface Answer {
  status: number;
  type: string;
  text: string;
}

async function answer(options: OperatorServerOptions, request: IncomingMessage, response: ServerResponse) {
  const { status, type, text } = isRebound(request) ? notFound : await answerTo(options, request);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...baseHeaders, 'content-type': type, 'content-length': length });
  response.end(request.method === 'HEAD' ? undefined : text);
}

const notFound: Answer = { status: 404, type: 'text/plain; charset=utf-8', text: 'Not found.\n' };

async function answerTo(
  { metrics, health, customHosts }: OperatorServerOptions,
  request: IncomingMessage,
): Promise<Answer> {
  const { method = '', url = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') return notFound;
  switch (url.split('?')[0]) {
    case '/metrics':
      return { status: 200, type: metrics.contentType, text: await metrics.text() };
    case '/health/live':
      return json(200, { status: 'live' });
    case '/health/ready': {
      const readiness = await health.readiness();
      return json(statusOf(readiness), readiness);
    }
    case '/tls/ask': {
      const status = await tlsAskStatus(customHosts, new URLSearchParams(url.split('?')[1]).get('domain'));
      return json(status, { allowed: status === 200 });
    }
    default:
      return notFound;
  }
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}

function isRebound({ socket, headers }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.localAddress ?? '') && !isLoopbackHost(headers.host ?? '');
}
