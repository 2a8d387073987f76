import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'countersign-script-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const code = `import { browserScript } from ${JSON.stringify(join(import.meta.dirname, 'browser-script.ts'))};
  process.stdout.write(browserScript('const one: number = 1;\\n'));`;

function strip(): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    encoding: 'utf8',
  });
  return stdout + stderr;
}

const kept = () => readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => /browser\/\w/.test(name));

test('types are stripped once, and the cached script is used from then on', () => {
  expect(strip()).toBe('const one         = 1;\n');
  const [file, ...others] = kept();
  expect(others).toEqual([]);
  writeFileSync(join(cache, file as string), 'kept');
  expect(strip()).toBe('kept');
});

test('types are stripped each time if nothing can be cached', () => {
  strip();
  const folder = join(cache, kept()[0] as string, '..');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, ''); // a file where the folder should be stops root too
  expect(strip()).toBe('const one         = 1;\n');
});
