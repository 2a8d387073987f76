import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../testing/tools.ts';
import { confinedStart, missingConfinement, probeConfinement } from './confinement.ts';
import { type ProcessLimits, startPdfProcess } from './pdf-process.ts';
import type { Attempt } from './testing/attempts.ts';

const found = probeConfinement();
const entry = fileURLToPath(new URL('./testing/attempts.ts', import.meta.url));

/** Makes attempts in a process started like every other PDF process. */
function startAttempts(permissions: Pick<ProcessLimits, 'network' | 'writable'> = {}) {
  const limits = { timeoutMs: 20_000, memoryMaxBytes: 2 ** 29, jobsMax: 100 };
  const pdfProcess = startPdfProcess({ name: 'attempts', entry, ...limits, ...permissions });
  onTestFinished(async () => {
    pdfProcess.kill('closed', 'the test is over');
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

  test('hands over its output, and leaves nothing behind', async () => {
    const attempt = startAttempts();
    const output = join(temporaryDirectory(), 'output.pdf');
    const writtenTo = await attempt({ kind: 'write output', output, text: 'a PDF' });
    expect(readFileSync(output, 'utf8')).toBe('a PDF');
    expect(dirname(writtenTo as string)).not.toBe(dirname(output));
    expect(existsSync(dirname(writtenTo as string))).toBe(false);
    expect(await attempt({ kind: 'write output', output, text: 'another' })).toBe(writtenTo);
    expect(readFileSync(output, 'utf8')).toBe('another');
  });

  test('writes to a directory that it is given, whatever its name, and to none beside it', async () => {
    const directory = join(temporaryDirectory(), 'a, b "c" ü');
    await mkdir(directory);
    await mkdir(`${directory}-beside`);
    const attempt = startAttempts({ writable: [directory] });
    expect(await attempt({ kind: 'write', path: join(directory, 'new') })).toBe('done');
    const beside = fileIn(`${directory}-beside`);
    expect(await attempt({ kind: 'write', path: beside })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ kind: 'write', path: join(directory, '../up') })).toBe('ERR_ACCESS_DENIED');
    expect(readFileSync(beside, 'utf8')).toBe('original');
  });

  test('starts no other program', async () => {
    expect(await startAttempts()({ kind: 'spawn' })).toBe('ERR_ACCESS_DENIED');
  });

  test('shares its compiled code with no other kind of process', async () => {
    const attempt = startAttempts();
    const cache = getCompileCacheDir();
    if (cache === undefined) throw new Error('tests run with a compile cache');
    expect(await attempt({ kind: 'write', path: join(cache, 'code') })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ kind: 'write', path: join(dirname(cache), 'pdf-seal', 'code') })).toBe('ERR_ACCESS_DENIED');
    const own = (await attempt({ kind: 'compile cache' })) as string;
    expect(dirname(own)).toBe(join(dirname(cache), 'pdf-attempts'));
  });

  test.skipIf(found.untilParentEnds.length === 0)(
    'has no threads, which could give themselves permissions',
    async () => {
      const path = fileIn(temporaryDirectory());
      expect(await startAttempts()({ kind: 'write from a thread', path })).toBe('ERR_ACCESS_DENIED');
      expect(readFileSync(path, 'utf8')).toBe('original');
    },
  );
});

describe.skipIf(found.withoutNetwork.length === 0)('the network', () => {
  test('is not there, not even this machine itself', async () => {
    const port = await listeningPort();
    expect(await startAttempts()({ kind: 'connect', port })).toBe('ENETUNREACH');
  });

  test('is there for a process that needs it', async () => {
    const port = await listeningPort();
    expect(await startAttempts({ network: true })({ kind: 'connect', port })).toBe('done');
  });
});

test('without what confines it a process is started all the same, and the log says what is missing', () => {
  const nothing = { withoutNetwork: [], untilParentEnds: [], permissionFlags: false };
  const start = confinedStart({ network: false, writable: [] }, ['--use-system-ca'], nothing);
  expect(start).toEqual({ execPath: process.execPath, execArgv: ['--use-system-ca'] });
  expect(missingConfinement(nothing)).toMatch(/network.*threads/);
  expect(missingConfinement({ withoutNetwork: ['u'], untilParentEnds: ['s'], permissionFlags: true })).toBeNull();
});
