import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { freshDataDir, postmasterPid } from '../support/embedded.ts';
import { endServers, launchServer, processesAt, startServer } from '../support/process.ts';
import { aDraft, call, createDraft, createSent, eventually } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';

afterEach(endServers);

const onLinux = process.platform === 'linux';

interface Served {
  baseUrl: string;
  stdout(): string;
}

function printedKeys({ stdout }: Served): { live: string; test: string } {
  const [, live = ''] = /\blive\s+(svc_live_\w+)/.exec(stdout()) ?? [];
  const [, test = ''] = /\btest\s+(svc_test_\w+)/.exec(stdout()) ?? [];
  return { live, test };
}

/** Returns the exit code and output of a process that cannot serve. */
async function refusal(settings: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  // Warnings are off: on a busy machine, some processes wait for the database.
  const server = launchServer({ LOG_LEVEL: 'error', ...settings });
  const { code } = await server.ended;
  return { code, lines: `${server.stdout()}${server.stderr()}`.trim().split('\n') };
}

test.skipIf(!hasTool('curl'))(
  'the first start prints keys and lines to paste, the next ones find everything again',
  async () => {
    const dataDir = freshDataDir();
    const first = await startServer({ DATA_DIR: dataDir });
    const keys = printedKeys(first);
    expect((await call(first, 'GET', '/account', { key: keys.live })).body).toMatchObject({
      mode: 'live',
      tier: 'team',
    });
    expect((await call(first, 'GET', '/account', { key: keys.test })).body).toMatchObject({ mode: 'test' });

    const toPaste = first
      .stdout()
      .split('\n')
      .filter((line) => /^ +(KEY=|ID=|curl )/.test(line));
    const pasted = spawnSync('sh', ['-ec', toPaste.join('\n')], { encoding: 'utf8' });
    expect(JSON.parse(pasted.stdout)).toMatchObject({ object: 'document', status: 'sent' });
    const { id } = JSON.parse(pasted.stdout);

    const again = launchServer({ LOG_LEVEL: 'error', DATA_DIR: dataDir });
    expect(await again.ended).toEqual({ code: 1, signal: null });
    expect(again.stderr()).toMatch(/^countersign: another Countersign server is already running on DATA_DIR .*\n$/);
    expect((await call(first, 'GET', `/documents/${id}`, { key: keys.live })).status).toBe(200);

    first.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });

    const second = await startServer({ DATA_DIR: dataDir });
    expect(second.stdout()).toBe(`ready ${second.baseUrl}\n`);
    expect((await call(second, 'GET', `/documents/${id}`, { key: keys.live })).body.status).toBe('sent');
  },
);

test('one role alone on the embedded database is warned about', async () => {
  const server = await startServer({ DATA_DIR: freshDataDir(), ROLE: 'web' });
  await expect.poll(() => server.stderr()).toContain('no other process can do the rest of the work');
});

test('a port that is taken is one line and leaves no database behind', async () => {
  const dataDir = freshDataDir();
  const port = new URL((await startServer({ DATA_DIR: freshDataDir() })).baseUrl).port;
  const { code, lines } = await refusal({ DATA_DIR: dataDir, PORT: port });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(`^countersign: port ${port} on 127.0.0.1 is in use`)]);
  expect(postmasterPid(dataDir)).toBeNull();
});

describe('SIGTERM', () => {
  test('to npm start: a request in flight is finished, then it exits 0 and leaves no process', async () => {
    const dataDir = freshDataDir();
    const server = await startServer({ DATA_DIR: dataDir }, 'npm');
    const { live: key } = printedKeys(server);
    const body = JSON.stringify(aDraft);
    const inFlight = request(`${server.baseUrl}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body), expect: '100-continue' },
    });
    const answered = once(inFlight, 'response');
    inFlight.flushHeaders();
    await once(inFlight, 'continue');
    inFlight.write(body.slice(0, 20));

    const began = performance.now();
    server.kill('SIGTERM');
    const isRefused = () =>
      fetch(server.baseUrl).then(
        () => false,
        () => true,
      );
    await eventually(isRefused, (refused) => refused);
    inFlight.end(body.slice(20));
    const [response] = await answered;
    expect(response.statusCode).toBe(201);
    const { id } = JSON.parse(await text(response));

    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(40_000);
    if (onLinux) expect(processesAt(dataDir)).toEqual([]);

    const next = await startServer({ DATA_DIR: dataDir });
    expect((await call(next, 'GET', `/documents/${id}`, { key })).status).toBe(200);
  });

  test('while it starts: it stops as soon as it can and leaves no process', async () => {
    let wasReady = true;
    // On a busy machine, a start may be over before it is stopped.
    while (wasReady) {
      const dataDir = freshDataDir();
      const server = launchServer({ DATA_DIR: dataDir });
      await eventually(
        async () => postmasterPid(dataDir),
        (pid) => pid !== null,
      );
      server.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      wasReady = server.stdout().includes('ready');
      if (onLinux) expect(processesAt(dataDir)).toEqual([]);
    }
  });

  test('with requests that never end: they are cut off in time', async () => {
    const server = await startServer({ DATA_DIR: freshDataDir() });
    const stuck = request(`${server.baseUrl}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${printedKeys(server).live}`, 'content-length': 1000 },
    });
    stuck.on('error', () => {});
    stuck.write('{');
    await sleep(300);
    const began = performance.now();
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(40_000);
  });
});

describe('kill -9', () => {
  test.each([
    ['of the service', false],
    ['of the service and its database', true],
  ])('%s: the next start finds everything that was answered', async (_, withDatabase) => {
    const dataDir = freshDataDir();
    const first = await startServer({ DATA_DIR: dataDir });
    const { live: key } = printedKeys(first);
    const ids = await Promise.all([createDraft(first, key), createSent(first, key), createDraft(first, key)]);
    first.kill('SIGKILL');
    if (withDatabase) process.kill(postmasterPid(dataDir) as number, 'SIGKILL');
    await first.ended;

    const second = await startServer({ DATA_DIR: dataDir });
    for (const id of ids) expect((await call(second, 'GET', `/documents/${id}`, { key })).status).toBe(200);
    second.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    if (onLinux) expect(processesAt(dataDir)).toEqual([]);
  });

  test('of the database: requests get their 500, then it is started again and nothing is lost', async () => {
    const dataDir = freshDataDir();
    const server = await startServer({ DATA_DIR: dataDir });
    const { live: key } = printedKeys(server);
    const id = await createDraft(server, key);
    const killed = postmasterPid(dataDir) as number;
    process.kill(killed, 'SIGKILL');

    const statuses = new Set<number>();
    await eventually(
      async () => {
        const began = performance.now();
        const answer = await call(server, 'GET', `/documents/${id}`, { key });
        expect(performance.now() - began).toBeLessThan(30_000);
        if (answer.status !== 200) expect(answer.body.error.type).toBe('api_error');
        statuses.add(answer.status);
        return { status: answer.status, postmaster: postmasterPid(dataDir) };
      },
      ({ status, postmaster }) => status === 200 && postmaster !== null && postmaster !== killed,
    );
    expect([...statuses].every((status) => status === 200 || status === 500)).toBe(true);
    await createSent(server, key);
  });
});
