import { McpServer } from '@modelcontextprotocol/server';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import { createSessions, type Sessions } from './http-sessions.ts';

let now = 0;
let sessions: Sessions;

beforeEach(() => {
  sessions = createSessions({ now: () => new Date(now) }, () => {
    const server = new McpServer({ name: 'test', version: '1' });
    server.registerTool('nothing', {}, () => ({ content: [] }));
    return server;
  });
});

const callerOf = (id: string) => ({ id }) as Caller;
const clientInfo = { name: 'test', version: '1' };
const opening = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
};

async function send(caller: string, message: object, session?: string): Promise<Response> {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const response = await sessions.handle(request, callerOf(caller));
  await response.text();
  return response;
}

async function open(caller: string): Promise<string> {
  return (await send(caller, opening)).headers.get('mcp-session-id') as string;
}

async function isOpen(caller: string, session: string): Promise<boolean> {
  return (await send(caller, { id: 2, method: 'tools/list' }, session)).status === 200;
}

test('a session that is not used for an hour ends when another one opens', async () => {
  const [idle, used] = [await open('a'), await open('a')];
  now += 59 * 60_000;
  expect(await isOpen('a', used)).toBe(true);
  now += 2 * 60_000;
  await open('a');
  expect([await isOpen('a', idle), await isOpen('a', used)]).toEqual([false, true]);
});

test('many sessions of one key end the oldest of that key only', async () => {
  const other = await open('b');
  const own: string[] = [];
  for (let i = 0; i < 51; i += 1) own.push(await open('a'));
  expect(await isOpen('a', own[0] as string)).toBe(false);
  expect(await isOpen('a', own[1] as string)).toBe(true);
  expect(await isOpen('b', other)).toBe(true);
});

test('what does not open a session leaves none', async () => {
  const response = await send('a', { id: 1, method: 'tools/list' });
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([400, null]);
  await sessions.close();
});
