import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server of this machine that can be shut. */
export interface Gate {
  port: number;
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** Passes connections on to a port of this machine. While the gate is shut, it refuses them and breaks open ones. */
export async function openGate(portBehind: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    const onward = connect(Number(portBehind), '127.0.0.1');
    client.on('error', () => {}).on('close', () => onward.destroy());
    onward.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(onward).pipe(client);
    client.on('close', () => sockets.delete(client));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async shut() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: () => listen(port),
  };
}
