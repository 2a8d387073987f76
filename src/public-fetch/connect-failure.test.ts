import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { connectFailure } from './connect.ts';
import { respond, startReceiver } from './testing/receiver.ts';

const failureOf = async (code: string, address: string, canRoute = false) =>
  (await connectFailure(Object.assign(new Error(code), { code }), address, async () => canRoute)).kind;

test('failures of this machine are our fault', async () => {
  for (const code of ['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOBUFS']) {
    expect([code, await failureOf(code, '192.0.2.1')]).toEqual([code, 'our_fault']);
  }
  for (const code of ['ENETDOWN', 'EMFILE', 'ENFILE', 'ENOBUFS']) {
    expect([code, await failureOf(code, '2001:db8::1')]).toEqual([code, 'our_fault']);
  }
});

test('failures of the receiver or reported by a distant router are not our fault', async () => {
  expect(await failureOf('ENETUNREACH', '192.0.2.1', true)).toBe('connection');
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ETIMEDOUT', 'EACCES']) {
    expect([code, await failureOf(code, '192.0.2.1')]).toEqual([code, 'connection']);
  }
});

test('a host with IPv6 only, seen from a machine without, is a failure of its connection that says so', async () => {
  for (const code of ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']) {
    const failure = await connectFailure(Object.assign(new Error(code), { code }), '2001:db8::1');
    expect([failure.kind, failure.message]).toEqual([
      'connection',
      'the host has IPv6 only, and this machine has none',
    ]);
  }
});

test('a process that has no file descriptor left finds itself at fault, for an address and for a name', async () => {
  const receiver = await startReceiver((socket) => respond(socket));
  const program = `
    import { openSync } from 'node:fs';
    import { createHostResolver, createPublicFetch } from ${JSON.stringify(new URL('./public-fetch.ts', import.meta.url))};
    const client = createPublicFetch({ resolver: createHostResolver(), allowPrivate: true });
    const kindOf = (url) => {
      try { for (;;) openSync('/dev/null'); } catch {} // again for each: the process may have closed one meanwhile
      return client.fetch({ method: 'GET', url }, { timeoutMs: 20_000 }).catch((error) => error.kind);
    };
    const kinds = [await kindOf('http://127.0.0.1:${receiver.port}/'), await kindOf('http://hooks.example.com/')];
    process.stdout.write(JSON.stringify(kinds));
  `;
  const output = execFileSync('sh', [
    '-c',
    'ulimit -n 64 && exec "$0" --input-type=module -e "$1"',
    process.execPath,
    program,
  ]);
  expect(JSON.parse(output.toString())).toEqual(['our_fault', 'our_fault']);
  expect(receiver.connections).toEqual([]);
});
