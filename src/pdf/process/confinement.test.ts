import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../sealing/testing/tools.ts';
import { confinedStart, missingConfinement, probeConfinement } from './confinement.ts';
import { type ProcessLimits, startPdfProcess } from './pdf-process.ts';
import type { Attempt } from './testing/attempts.ts';

const found = probeConfinement();
const entry = fileURLToPath(new URL('./testing/attempts.ts', import.meta.url));

/** Starts a PDF process that runs attempts. */
function startAttempts(permissions: Pick<ProcessLimits, 'network' | 'writable'> = {}) {
  const limits = { timeoutMs: 20_000, memoryMaxBytes: 2 ** 29, jobsMax: 100 };
  const pdfProcess = startPdfProcess({ name: 'attempts', entry, ...limits, ...permissions });
  onTestFinished(async () => {
    pdfProcess.kill('closed', 'the test has ended');
    await pdfProcess.ended;
  });
  return (attempt: Attempt) => pdfProcess.run(attempt);
}

async function listeningPort(): Promise<number> {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

function fileIn(directory: string): string {
  const path = join(directory, 'evidence');
  writeFileSync(path, 'original');
  return path;
}

describe.skipIf(!found.permissionFlags)('a PDF process', () => {
  test('reads, but cannot write outside its own directory', async () => {
    const attempt = startAttempts();
    const path = fileIn(temporaryDirectory());
    expect(await attempt({ kind: 'read', path })).toBe('original');
    expect(await attempt({ kind: 'write', path })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ kind: 'write', path: `${path}-new` })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ kind: 'link', to: path, path: `${path}-link` })).toBe('ERR_ACCESS_DENIED');
    expect(readFileSync(path, 'utf8')).toBe('original');
  });

  test('moves its output to its destination and leaves no files', async () => {
    const attempt = startAttempts();
    const output = join(temporaryDirectory(), 'output.pdf');
    const writtenTo = await attempt({ kind: 'write output', output, text: 'a PDF' });
    expect(readFileSync(output, 'utf8')).toBe('a PDF');
    expect(dirname(writtenTo as string)).not.toBe(dirname(output));
    expect(existsSync(dirname(writtenTo as string))).toBe(false);
    expect(await attempt({ kind: 'write output', output, text: 'another' })).toBe(writtenTo);
    expect(readFileSync(output, 'utf8')).toBe('another');
  });

  test('writes only to the directories it may write to, whatever their names', async () => {
    const directory = join(temporaryDirectory(), 'a, b "c" ü');
    await mkdir(directory);
    await mkdir(`${directory}-sibling`);
    const attempt = startAttempts({ writable: [directory] });
    expect(await attempt({ kind: 'write', path: join(directory, 'new') })).toBe('done');
    const sibling = fileIn(`${directory}-sibling`);
    expect(await attempt({ kind: 'write', path: sibling })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ kind: 'write', path: join(directory, '../up') })).toBe('ERR_ACCESS_DENIED');
    expect(readFileSync(sibling, 'utf8')).toBe('original');
  });

  test('cannot start another program', async () => {
    expect(await startAttempts()({ kind: 'spawn' })).toBe('ERR_ACCESS_DENIED');
  });

  test('cannot write to the compile caches of other processes', async () => {
    const attempt = startAttempts();
    const cache = getCompileCacheDir();
    if (cache === undefined) throw new Error('tests run with a compile cache');
    expect(await attempt({ kind: 'write', path: join(cache, 'code') })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ kind: 'write', path: join(dirname(cache), 'pdf-seal', 'code') })).toBe('ERR_ACCESS_DENIED');
    const own = (await attempt({ kind: 'compile cache' })) as string;
    expect(dirname(own)).toBe(join(dirname(cache), 'pdf-attempts'));
  });

  test.skipIf(found.untilParentEnds.length === 0)(
    'cannot start threads, which could give themselves permissions',
    async () => {
      const path = fileIn(temporaryDirectory());
      expect(await startAttempts()({ kind: 'write from a thread', path })).toBe('ERR_ACCESS_DENIED');
      expect(readFileSync(path, 'utf8')).toBe('original');
    },
  );
});

describe.skipIf(found.withoutNetwork.length === 0)('the network', () => {
  test('is blocked by default, including the loopback', async () => {
    const port = await listeningPort();
    expect(await startAttempts()({ kind: 'connect', port })).toBe('ENETUNREACH');
  });

  test('is available to a process that may use it', async () => {
    const port = await listeningPort();
    expect(await startAttempts({ network: true })({ kind: 'connect', port })).toBe('done');
  });
});

test('a process starts without confinement, and the missing features are described', () => {
  const nothing = { withoutNetwork: [], untilParentEnds: [], permissionFlags: false };
  const start = confinedStart({ network: false, writable: [] }, ['--use-system-ca'], nothing);
  expect(start).toEqual({ execPath: process.execPath, execArgv: ['--use-system-ca'] });
  expect(missingConfinement(nothing)).toMatch(/network.*threads/);
  expect(missingConfinement({ withoutNetwork: ['u'], untilParentEnds: ['s'], permissionFlags: true })).toBeNull();
});
