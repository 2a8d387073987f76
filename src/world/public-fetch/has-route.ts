import { createSocket } from 'node:dgram';

/** The root name servers' first one: any public address would do. */
const somewherePublic = '198.41.0.4';

/**
 * Whether this machine has a route to the public network. Connecting a UDP socket makes the system look one up and sends
 * nothing: so it tells our own missing network from a far router's word that there is no way to one receiver.
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
