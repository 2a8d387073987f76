import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Stands in front of a service, as a gateway with a time limit does: answers the first request with 504 as soon as `cut`
 * resolves, while the service goes on with it. Forwards all others.
 */
export async function startGateway(origin: string, cut: Promise<void>, onAnswer: (status: number) => void) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const isFirst = requests === 1;
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const answering = fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(request.method === 'POST' ? { body: await buffer(request) } : {}),
    });
    const answer = isFirst ? await Promise.race([cut, answering]) : await answering;
    const status = answer?.status ?? 504;
    onAnswer(status);
    response.writeHead(status, { 'content-type': 'application/json' }).end((await answer?.text()) ?? 'Time-out');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
