import { get } from 'node:http';
import { get as getTls } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { HttpsAuthority } from '../../test/support/https-authority.ts';
import { type Child, startChild } from '../child.ts';

export interface Receiver extends Child {
  url: string;
  /** Returns what was received since the last call. */
  takeCounts(): Promise<{ count: number; delaysMs: number[] }>;
}

/** Runs `bench/webhooks/receiver.ts` in its own process. */
export async function startReceiver(authority: HttpsAuthority, scheme: 'http' | 'https'): Promise<Receiver> {
  const { key, cert } = authority.issue(['127.0.0.1']);
  const tls: Record<string, string> = scheme === 'https' ? { RECEIVER_KEY: key, RECEIVER_CERT: cert } : {};
  const child = await startChild(process.execPath, ['bench/webhooks/receiver.ts'], tls);
  const url = `${scheme}://127.0.0.1:${child.port}`;
  return {
    ...child,
    url: `${url}/hook`,
    takeCounts: () =>
      new Promise((resolve, reject) => {
        const request = scheme === 'https' ? getTls(url, { rejectUnauthorized: false }) : get(url);
        request.on('response', (response) => resolve(json(response) as Promise<{ count: number; delaysMs: number[] }>));
        request.on('error', reject);
      }),
  };
}

/** A receiver that accepts connections and never answers. */
export async function startSilence(): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
