import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHostResolver, createPublicFetch, readAtMost } from './public-fetch.ts';

/** In a process of its own: sharing our event loop it would never write while we are in the middle of reading. */
const receiver = `
  const write = process.argv[1];
  require('node:net').createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 500 X\\r\\n\\r\\n'); // no length: the body ends with the connection
      const reset = () => setTimeout(() => socket.resetAndDestroy(), 5);
      if (write !== 'for ever') return socket.write(Buffer.alloc(Number(write), 'h'), reset);
      const chunk = Buffer.alloc(65_536, 'h');
      const pump = () => { while (!socket.destroyed && socket.write(chunk)); };
      socket.on('drain', pump);
      pump();
    });
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

async function startElsewhere(write: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', receiver, write], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  return `http://127.0.0.1:${port}/`;
}

// An error that nobody catches fails the run, as it would end the service.
test('a body without length and without end is cut where it is held back, a hundred times', async () => {
  const url = await startElsewhere('for ever');
  const client = createPublicFetch({ resolver: createHostResolver(), allowPrivate: true });
  onTestFinished(() => client.close());
  for (let i = 0; i < 100; i++) {
    const { status, body } = await client.fetch({ method: 'POST', url, body: '{}' }, { timeoutMs: 10_000 });
    const { bytes, isComplete } = await readAtMost(body, 2048);
    expect([status, bytes.length, isComplete]).toEqual([500, 2048, false]);
  }
});

// Held back in our memory, in the kernel's or between them: which one decides who learns of the reset first.
test.each([65_536, 66_000, 80_000, 200_000])(
  'a body of %i bytes without length that nobody has read when the connection is reset ends the call, not the process',
  async (bytes) => {
    const url = await startElsewhere(String(bytes));
    const client = createPublicFetch({ resolver: createHostResolver(), allowPrivate: true });
    onTestFinished(() => client.close());
    for (let i = 0; i < 5; i++) {
      const { body } = await client.fetch({ method: 'POST', url, body: '{}' }, { timeoutMs: 10_000 });
      await sleep(20);
      const { bytes: read } = await readAtMost(body, 2048);
      expect(read.length).toBeLessThanOrEqual(2048);
    }
  },
);
