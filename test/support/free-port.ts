import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to sockets that name none, so that no other test gets the port meanwhile. */
const [first, end] = [20_000, 32_000];

/** Returns a free port of 127.0.0.1, for settings that must name one. */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = randomInt(first, end);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return String(port);
  }
}
