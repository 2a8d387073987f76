import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHostResolver, createPublicFetch, PublicFetchError, readAtMost } from './public-fetch.ts';
import { startReceiver } from './testing/receiver.ts';

/** Pieces of HTTP in any order, whole or broken, that arrive in one go or one by one. */
const piece = fc.oneof(
  fc.constantFrom(
    ...['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Hints\r\n\r\n', 'HTTP/1.0 200 OK\r\n'],
    ...[
      'HTTP/1.1 204 No Content\r\n',
      'HTTP/1.1 304 Not Modified\r\n\r\n',
      'HTTP/2 200\r\n',
      'HTTP/1.1 999\r\n',
      'HTTP/1.1 101 X\r\n',
      'HTTP/1.1 000 X\r\n',
      'HTTP/1.1 099 X\r\n',
    ],
    ...[
      'content-length: 5\r\n',
      'content-length: -1\r\n',
      'content-length: 99999999999999999999\r\n',
      'content-length:\r\n',
    ],
    ...[
      'transfer-encoding: chunked\r\n',
      'transfer-encoding: gzip\r\n',
      'connection: close\r\n',
      'connection: keep-alive\r\n',
    ],
    ...[
      'keep-alive: timeout=-5\r\n',
      'keep-alive: timeout=1e99\r\n',
      'upgrade: h2c\r\n',
      '__proto__: x\r\n',
      ' folded\r\n',
      ':\r\n',
    ],
    ...[
      '\r\n',
      '\n',
      '\r',
      '\0',
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      'fffffffffffffffff\r\n',
      'hello',
      '0\r\ntrailer: x\r\n\r\n',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const aboutRight = fc.array(piece, { maxLength: 8 }).map((pieces) => ['HTTP/1.1 200 OK\r\n', ...pieces]);

test('for any answer, the call ends with a response or a classified failure', async () => {
  let response: { pieces: string[]; end: 'end' | 'reset' | 'stay'; isSplit: boolean };
  const receiver = await startReceiver((socket) => {
    socket.setNoDelay(true);
    for (const text of response.isSplit ? response.pieces : [response.pieces.join('')]) socket.write(text);
    if (response.end === 'end') socket.end();
    if (response.end === 'reset') setImmediate(() => socket.resetAndDestroy());
  });
  const client = createPublicFetch({ resolver: createHostResolver(), allowPrivate: true });
  const request = { method: 'POST', url: `http://127.0.0.1:${receiver.port}/`, body: '{}' } as const;
  const responses = fc.record({
    pieces: fc.oneof(fc.array(piece, { maxLength: 12 }), aboutRight),
    end: fc.constantFrom('end', 'reset', 'stay'),
    isSplit: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(responses, async (generated) => {
      response = generated as typeof response;
      try {
        const { status, body } = await client.fetch(request, { timeoutMs: 100 });
        expect(status).toBeGreaterThanOrEqual(200);
        const { bytes } = await readAtMost(body, 10);
        expect(bytes.length).toBeLessThanOrEqual(10);
      } catch (error) {
        if (!(error instanceof PublicFetchError)) throw error;
        expect(['connection', 'protocol', 'timeout']).toContain(error.kind);
      }
    }),
    { numRuns: 300 },
  );
  client.close();
});
