import { createSocket } from 'node:dgram';

/** The first root name server. Any public address would work. */
const somewherePublic = '198.41.0.4';

/**
 * Returns whether this machine has a route to the public network. Connecting a UDP socket looks up a route and sends
 * nothing. That distinguishes our own missing network from an unreachable receiver.
 */
export function hasRoute(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket('udp4');
  const end = (found: boolean) => {
    resolve(found);
    socket.close();
  };
  socket.once('error', () => end(false));
  socket.connect(53, somewherePublic, () => end(true));
  return promise;
}
