import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns a free port of 127.0.0.1, for settings that must name one. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}
