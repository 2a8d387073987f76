import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** A slow mail server. */
export interface SlowMailServer {
  url: string;
  /** All accepted messages, in order. `id` is that of the delivery, from the Message-ID. */
  accepted: Array<{ to: string; id: string; at: number }>;
  close(): Promise<void>;
}

/** `delay` passes between the end of a message and its answer. The system chooses the port by default. */
export async function startMailServer(delay: () => number | Promise<void>, chosenPort = 0): Promise<SlowMailServer> {
  const accepted: SlowMailServer['accepted'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100, // idle connections are closed
    onData(stream, session, done) {
      stream.on('error', done); // the client hung up
      let text = '';
      stream.setEncoding('latin1').on('data', (part: string) => {
        text += part;
      });
      stream.once('end', async () => {
        const wait = delay();
        await (typeof wait === 'number' ? sleep(wait) : wait);
        const id = /^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? '';
        for (const { address } of session.envelope.rcptTo) accepted.push({ to: address, id, at: performance.now() });
        done(null, 'Ok: queued');
      });
    },
  });
  server.on('error', () => {}); // a client that hangs up
  await new Promise<void>((resolve) => server.listen(chosenPort, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
