import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';

const place = mkdtempSync(join(tmpdir(), 'countersign-test-'));
vi.stubEnv('TMPDIR', place);
// Leftovers are deleted once in a process, and other tests make directories too.
vi.resetModules();
const { withTemporaryDirectory } = await import('./temporary-directory.ts');
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true });
});

function leave(name: string, days: number): void {
  const directory = join(place, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'contract.pdf'), '%PDF-1.7');
  const at = Date.now() / 1000 - days * 86_400;
  utimesSync(directory, at, at);
}

test('a directory is private and deleted afterwards, and the first one deletes leftovers of killed processes', async () => {
  leave('countersign-work-killed', 8);
  leave('countersign-work-busy', 6);
  leave('of-somebody-else', 400);
  const failure = withTemporaryDirectory(async (directory) => {
    writeFileSync(join(directory, 'lease.pdf'), '%PDF-1.7');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(existsSync(join(place, 'countersign-work-killed'))).toBe(false);
    throw new Error('no use');
  });
  await expect(failure).rejects.toThrow('no use');
  expect(readdirSync(place).sort()).toEqual(['countersign-work-busy', 'of-somebody-else']);
});
