import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { requestJson } from './request-json.ts';

/** Sends a request to a provider that answers with `respond`. */
async function ask(respond: (response: ServerResponse) => void, limitMs = 5000) {
  const server = createServer((_, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const options = { method: 'GET', headers: {}, signal: AbortSignal.timeout(limitMs) } as const;
  return requestJson('the provider', `http://127.0.0.1:${port}/`, options);
}

test('ends the wait for a provider that hangs, or that sends its answer slowly', async () => {
  const says = 'the provider did not answer in time';
  await expect(ask(() => {}, 50)).rejects.toThrow(says);
  const drip = (response: ServerResponse) => {
    response.writeHead(200).write('{"a":');
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  };
  await expect(ask(drip, 50)).rejects.toThrow(says);
});

test('stops reading an answer without end', async () => {
  const flood = (response: ServerResponse) => {
    const more = () => {
      while (!response.closed && response.write(' '.repeat(16_384)));
    };
    response.writeHead(200).on('drain', more);
    more();
  };
  expect(await ask(flood)).toEqual({ status: 200, body: {} });
});

test('follows no redirect', async () => {
  const redirect = (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
  await expect(ask(redirect)).rejects.toThrow('the provider cannot be reached: unexpected redirect');
});

test('reads what is not a JSON object as an empty one', async () => {
  for (const text of ['', '<html>', 'null', '7', '{"a":1']) {
    expect(await ask((response) => response.end(text))).toEqual({ status: 200, body: {} });
  }
});

test('quotes no header in an error', async () => {
  const headers = { authorization: 'Bearer se\ncret' };
  const signal = AbortSignal.timeout(1000);
  const failure = requestJson('the provider', 'http://127.0.0.1:9/', { method: 'GET', headers, signal });
  await expect(failure).rejects.toThrow(/^the provider cannot be reached: the request failed$/);
});
