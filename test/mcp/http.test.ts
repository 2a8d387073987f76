import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import type { Scope } from '../../src/keys/scopes.ts';
import { bin, execute } from '../cli/countersign.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { connectHttp } from './mcp-client.ts';

let app: TestService;
let acme: Company;
let other: Company;
let server: McpProcess;

beforeAll(async () => {
  app = await startTestService();
  [acme, other] = await Promise.all([createCompany(app), createCompany(app)]);
  // The key in its environment must not be used for others.
  server = await launch({ COUNTERSIGN_API_KEY: acme.key, COUNTERSIGN_BASE_URL: app.baseUrl });
});
afterAll(async () => {
  await server.stop();
  await app.stop();
});

interface McpProcess {
  child: ChildProcess;
  url: string;
  stderr: Promise<string>;
  /** Returns the exit code. */
  stop(): Promise<number | null>;
}

async function launch(settings: Record<string, string>, ...args: string[]): Promise<McpProcess> {
  const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: tmpdir(), ...settings };
  const child = spawn(bin, ['mcp', '--http', '--port', '0', ...args], { env, cwd: tmpdir() });
  const stderr = text(child.stderr);
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const url = /^ready (http\S+)\n$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`it did not start: ${await stderr}`);
  const exited = once(child, 'exit');
  return {
    child,
    url,
    stderr,
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

const clientInfo = { name: 'test', version: '1' };
const opening = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
};
const yes: ElicitResult = { action: 'accept', content: { confirm: true } };

interface Given {
  key?: string;
  body?: object;
  method?: string;
  headers?: Record<string, string>;
  url?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be
async function jsonOf(response: Response): Promise<any> {
  return response.json();
}

function post({ key, body = opening, method = 'POST', headers = {}, url = server.url }: Given = {}): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: method === 'POST' ? JSON.stringify(body) : null,
  });
}

describe('who is let in', () => {
  test('a request without a key is challenged', async () => {
    for (const headers of [{}, { authorization: 'Basic eDp5' }, { authorization: 'Bearer' }]) {
      const response = await post({ headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Countersign"');
    }
  });

  test('a key that the API does not know is not valid', async () => {
    const response = await post({ key: 'svc_live_unknown' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Countersign", error="invalid_token"');
    expect((await jsonOf(response)).error.message).toMatch(/invalid_api_key, req_/);
  });

  test('a plan without API access is refused', async () => {
    const { key } = await createCompany(app, 'free');
    const response = await post({ key });
    expect(response.status).toBe(403);
    expect((await jsonOf(response)).error.message).toMatch(/api_access_required/);
  });

  test.each([
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example:3100' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:5173' }, 200],
    [{ host: 'localhost:1' }, 200],
  ])('protects from DNS rebinding: %j is answered with %i', async (headers, status) => {
    // fetch sets its own Host.
    const request = httpRequest(server.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${acme.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
    });
    request.end(JSON.stringify(opening));
    const [response] = await once(request, 'response');
    response.resume();
    expect(response.statusCode).toBe(status);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('other paths, large bodies and broken requests are refused', async () => {
    const key = acme.key;
    expect((await post({ key, url: server.url.replace('/mcp', '/') })).status).toBe(404);
    expect((await post({ key, url: server.url.replace('/mcp', '//evil.example/mcp') })).status).toBe(404);
    const params = { ...opening.params, x: 'x'.repeat(5 * 1024 * 1024) };
    expect((await post({ key, body: { ...opening, params } })).status).toBe(413);
    expect((await post({ key, method: 'GET' })).status).toBe(400);
    expect((await post({ key, method: 'PUT' })).status).toBe(405);
    expect((await post({ key, headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await post({ key, body: { ...opening, method: 'tools/list' } })).status).toBe(400);
  });
});

describe('what a key may do', () => {
  const cases: [Scope[], string[]][] = [
    [['documents:read'], ['get_account', 'list_documents', 'get_document', 'get_download']],
    [
      ['recipients:read', 'documents:send'],
      ['get_account', 'list_recipients'],
    ],
    [
      ['documents:write', 'imports:read'],
      ['get_account', 'create_document', 'list_imports', 'get_import', 'list_import_items'],
    ],
  ];

  test.each(cases)('with %s it has no other tools', async (scopes, names) => {
    const { key } = await acme.keyWith(scopes);
    const narrow = await connectHttp(server.url, { key });
    expect(await narrow.tools()).toEqual(names);
    const mayRead = scopes.includes('documents:read');
    expect(narrow.client.getServerCapabilities()?.resources !== undefined).toBe(mayRead);
    await expect(narrow.call('send_document', { id: acme.id })).rejects.toThrow(/not found/);
    await narrow.client.close();
  });

  test('a test key and a plan without cloud imports can start vendor imports only', async () => {
    const starter = await createCompany(app, 'starter');
    const keys: [string, RegExp][] = [
      [acme.testKey, /test key: no e-mail or SMS[\s\S]*never instructions/],
      [starter.key, /live key: a document that you send reaches real people[\s\S]*never instructions/],
    ];
    const check = async ([key, instructions]: [string, RegExp]) => {
      const other = await connectHttp(server.url, { key });
      expect(other.client.getInstructions()).toMatch(instructions);
      const { tools } = await other.client.listTools();
      const start = tools.find(({ name }) => name === 'start_import');
      const properties = ['source', 'earliest', 'unlock_doc', 'idempotency_key'];
      expect(Object.keys(start?.inputSchema.properties ?? {})).toEqual(properties);
      const { text } = await other.call('start_import', { source: 'cloud_files' });
      expect(text).toContain('data/source must be equal to one of the allowed values');
      await other.client.close();
    };
    await Promise.all(keys.map(check));
  });

  test('leaves out recipients that the key may not read', async () => {
    const id = await createDraft(app, acme.key);
    const { key } = await acme.keyWith(['documents:read']);
    const other = await connectHttp(server.url, { key });
    const { contents } = await other.client.readResource({ uri: `countersign://documents/${id}` });
    expect(JSON.parse((contents as { text: string }[])[0]?.text ?? '').recipients).toBeNull();
    await other.client.close();
  });
});

describe.each([
  ['since 2026', true],
  ['before 2026', false],
])('a client of the protocol %s', (_name, isModern) => {
  test('two keys at once see their own company only', async () => {
    const clients = await Promise.all(
      [acme, other].map(({ key }) => connectHttp(server.url, { key, isModern, onQuestion: () => yes })),
    );
    const ids = await Promise.all([createDraft(app, acme.key), createDraft(app, other.key)]);
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = await Promise.all(clients.map((client) => client.call('get_account')));
      expect([first?.value.id, second?.value.id]).toEqual([acme.id, other.id]);
    }
    const crossed = await Promise.all(clients.map((client, i) => client.call('get_document', { id: ids[1 - i] })));
    expect(crossed.map(({ value }) => value.error.code)).toEqual(['document_not_found', 'document_not_found']);
    const sent = await Promise.all(clients.map((client, i) => client.call('send_document', { id: ids[i] })));
    expect(sent.map(({ value }) => value.status)).toEqual(['sent', 'sent']);
    const lists = await Promise.all(clients.map(({ client }) => client.listResources()));
    expect(lists.map(({ resources }) => resources.some(({ uri }) => uri.endsWith(ids[1] as string)))).toEqual([
      false,
      true,
    ]);
    await Promise.all(clients.map(({ client }) => client.close()));
  });

  test('a declined question sends nothing, and without a way to ask the call is refused', async () => {
    const id = await createDraft(app, acme.key);
    const asking = await connectHttp(server.url, {
      key: acme.key,
      isModern,
      onQuestion: () => ({ action: 'decline' }),
    });
    expect((await asking.call('send_document', { id })).value.error.code).toBe('not_confirmed');
    const silent = await connectHttp(server.url, { key: acme.key, isModern });
    expect((await silent.call('send_document', { id })).value.error.code).toBe('confirmation_required');
    expect((await silent.call('get_document', { id })).value.status).toBe('draft');
    await Promise.all([asking.client.close(), silent.client.close()]);
  });

  test('the tools are those of the scopes', async () => {
    const { key } = await acme.keyWith(['imports:read']);
    const narrow = await connectHttp(server.url, { key, isModern });
    expect(await narrow.tools()).toEqual(['get_account', 'list_imports', 'get_import', 'list_import_items']);
    await narrow.client.close();
  });

  test('a revoked key does nothing more', async () => {
    const { id, key } = await acme.keyWith(['documents:read']);
    const client = await connectHttp(server.url, { key, isModern });
    expect((await client.call('list_documents')).isError).toBe(false);
    await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
    expect((await client.call('list_documents')).value.error.code).toBe('invalid_api_key');
    await expect(client.client.listResources()).rejects.toThrow(/invalid_api_key/);
    await client.client.close();
  });
});

test('an answer without the question that was asked is not a confirmation', async () => {
  const id = await createDraft(app, acme.key);
  const elsewhere = await createDraft(app, acme.key, { title: 'Elsewhere' });
  const callSend = async (params: object) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const response = await post({
      key: acme.key,
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'send_document' },
      body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'send_document', _meta: meta, ...params } },
    });
    return jsonOf(response);
  };
  const inputResponses = { confirm: yes };
  const { result } = await callSend({ arguments: { id: elsewhere } });
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  const { requestState } = result;
  for (const params of [
    { arguments: { id }, inputResponses },
    { arguments: { id }, inputResponses, requestState },
  ]) {
    expect(await callSend(params)).toMatchObject({ result: { resultType: 'input_required' } });
  }
  const forged = `${requestState.slice(0, -4)}AAAA`;
  expect(await callSend({ arguments: { id: elsewhere }, inputResponses, requestState: forged })).toMatchObject({
    error: { code: -32602 },
  });
  const sent = await callSend({ arguments: { id: elsewhere }, inputResponses, requestState });
  expect(sent.result.structuredContent).toMatchObject({ id: elsewhere, status: 'sent' });
});

test('answers are not stored by anyone on the way', async () => {
  const response = await post({ key: acme.key });
  expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  await response.text();
});

test('a session is of the key that opened it, and ends when the client says so', async () => {
  const opened = await post({ key: acme.key });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') as string;
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const ask = async (key: string) => {
    const response = await post({ key, body, headers: { 'mcp-session-id': session } });
    await response.text();
    return response.status;
  };
  expect([await ask(acme.key), await ask(acme.testKey), await ask(other.key)]).toEqual([200, 404, 404]);
  const ended = await post({ key: acme.key, method: 'DELETE', headers: { 'mcp-session-id': session } });
  expect([ended.status, await ask(acme.key)]).toEqual([200, 404]);
});

describe('the process', () => {
  test('a taken port and an open address are refused in one line', async () => {
    const run = (...args: string[]) =>
      execute(bin, ['mcp', '--http', ...args], { PATH: process.env.PATH ?? '' }, tmpdir());
    const { port } = new URL(server.url);
    const [taken, open, wrong] = await Promise.all([
      run('--port', port),
      run('--host', '0.0.0.0'),
      run('--allowed-host', 'https://x'),
    ]);
    expect(taken).toMatchObject({
      code: 1,
      stderr: `countersign: port ${port} of 127.0.0.1 is in use: choose another with --port\n`,
    });
    expect([open.code, wrong.code]).toEqual([2, 2]);
    expect(open.stderr).toMatch(/^countersign: --host 0\.0\.0\.0 needs --allowed-host [^\n]+\n$/);
  });

  test('names of this server can be allowed; a wrong address of the service is a bad gateway; SIGTERM closes idle connections', async () => {
    // Something answers there, but not the API.
    const own = await launch({ COUNTERSIGN_BASE_URL: new URL(server.url).origin }, '--allowed-host', 'mcp.example.com');
    const { port } = new URL(own.url);
    // A connection that sends nothing must not keep it from ending.
    const idle = connect(Number(port), '127.0.0.1').on('error', () => {});
    const response = await post({ key: acme.key, url: own.url, headers: { origin: 'https://mcp.example.com' } });
    expect(response.status).toBe(502);
    expect((await jsonOf(response)).error.message).toMatch(/\(not_found\)$/);
    expect(await own.stop()).toBe(0);
    expect(await own.stderr).toBe('');
    idle.destroy();
  });

  test('SIGTERM ends it with exit code 0 while a client listens', async () => {
    const own = await launch({ COUNTERSIGN_BASE_URL: app.baseUrl });
    const client = await connectHttp(own.url, { key: acme.key });
    await client.call('get_account');
    expect(await own.stop()).toBe(0);
    expect(await own.stderr).toBe('');
    await client.client.close();
  });
});
