import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freshDatabase } from '../support/postgres.ts';
import { bin, execute, temporaryDirectory } from './countersign.ts';

const clone = fileURLToPath(new URL('../..', import.meta.url));
const goodNode = realpathSync(process.execPath);
const tools = '/usr/bin:/bin';

/** A directory whose only program is a `node` that does not run TypeScript, as Node 20 does not. */
function oldNodeOnly(): string {
  const folder = temporaryDirectory();
  for (const tool of ['dirname', 'readlink']) symlinkSync(join('/usr/bin', tool), join(folder, tool));
  const script = '#!/bin/sh\n[ "$1" = --version ] && echo v20.0.0 && exit 0\nexit 1\n';
  writeFileSync(join(folder, 'node'), script);
  chmodSync(join(folder, 'node'), 0o755);
  return folder;
}

/** A clone without `node_modules`. Its sources find their packages through the real clone. */
function cloneWithoutPackages(): string {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'bin'));
  copyFileSync(bin, join(folder, 'bin/countersign'));
  symlinkSync(join(clone, 'src'), join(folder, 'src'));
  return folder;
}

/** A clone with the Node that `npm ci` brings where the machine has none that is new enough. */
function cloneWithPinnedNode(): string {
  const folder = cloneWithoutPackages();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(goodNode, join(folder, 'node_modules/.bin/node'));
  return folder;
}

test('it runs from any directory, through links, whatever Node the machine has', async () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'a dir'));
  symlinkSync(join(cloneWithPinnedNode(), 'bin/countersign'), join(folder, 'a dir/absolute'));
  symlinkSync('a dir/absolute', join(folder, 'relative'));
  const { code, stdout, stderr } = await execute(
    join(folder, 'relative'),
    ['mailbox', 'list', '--json'],
    { PATH: oldNodeOnly(), DATA_DIR: folder, CDPATH: '/usr' },
    '/',
  );
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test("a relative DATA_DIR and the .env file are those of the caller's directory", async () => {
  const folder = temporaryDirectory();
  const program = join(cloneWithPinnedNode(), 'bin/countersign');
  writeFileSync(join(folder, '.env'), 'PORT=nonsense\n');
  const told = await execute(program, ['mailbox', 'list'], { PATH: tools }, folder);
  expect(told.stderr).toMatch(/^countersign: bad setting PORT/);

  mkdirSync(join(folder, 'mine/mailbox'), { recursive: true });
  const env = { PATH: tools, PORT: '1', DATA_DIR: 'mine', DATABASE_URL: 'postgresql://127.0.0.1:1/x' };
  const doctor = await execute(program, ['doctor', '--json'], env, folder);
  const checks: Array<{ check: string; detail: string }> = JSON.parse(doctor.stdout.toString());
  expect(checks.find(({ check }) => check === 'data directory')?.detail).toContain(join(folder, 'mine'));
});

test('the pinned Node is asked whether it runs once on each system', async () => {
  const folder = cloneWithoutPackages();
  const asked = join(folder, 'asked');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo asked >>${asked}\nexec ${goodNode} "$@"\n`;
  writeFileSync(join(folder, 'node_modules/.bin/node'), script, { mode: 0o755 });
  const stamp = join(folder, 'node_modules/.cache/pinned-node-ran-on');
  const timesAsked = async () => {
    const env = { PATH: tools, DATA_DIR: folder };
    const { code } = await execute(join(folder, 'bin/countersign'), ['mailbox', 'list'], env, '/');
    expect(code).toBe(0);
    return readFileSync(asked, 'utf8').trim().split('\n').length;
  };
  expect([await timesAsked(), await timesAsked()]).toEqual([1, 1]);
  writeFileSync(stamp, 'Linux elsewhere 5.0 riscv64\n');
  expect([await timesAsked(), await timesAsked()]).toEqual([2, 2]);
  // Where nothing can be written it is asked each time.
  rmSync(stamp);
  mkdirSync(stamp);
  expect([await timesAsked(), await timesAsked()]).toEqual([3, 4]);
});

test('without the pinned Node it takes one on the PATH that is new enough', async () => {
  const folder = cloneWithoutPackages();
  const path = temporaryDirectory();
  symlinkSync(goodNode, join(path, 'node'));
  const env = { PATH: `${path}:${tools}`, DATA_DIR: folder };
  const { code, stdout } = await execute(join(folder, 'bin/countersign'), ['mailbox', 'list'], env, '/');
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 0, stdout: 'no messages\n' });
});

test.each([
  ['another C library', '#!/no/such/loader\n'],
  ['another processor', '\x7fELF\x02\x01\x01'],
])('a pinned Node made for %s is passed over for the one on the PATH', async (_system, program) => {
  const folder = cloneWithoutPackages();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.bin/node'), program, { mode: 0o755 });
  const path = temporaryDirectory();
  symlinkSync(goodNode, join(path, 'node'));
  const env = { PATH: `${path}:${tools}`, DATA_DIR: folder };
  const { code, stdout, stderr } = await execute(join(folder, 'bin/countersign'), ['mailbox', 'list'], env, '/');
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: 'no messages\n', stderr: '' });
});

test('a Node that strips types but has no argon2, as 22.18 to 24.6, is not new enough', async () => {
  const folder = cloneWithoutPackages();
  const path = oldNodeOnly();
  // A real Node without argon2 answers the check.
  const without = join(path, 'without-argon2.cjs');
  writeFileSync(without, "delete require('node:crypto').argon2;\n");
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo v24.6.0 && exit 0\nexec ${goodNode} --require ${without} "$@"\n`;
  writeFileSync(join(path, 'node'), script, { mode: 0o755 });
  const { code, stderr } = await execute(join(folder, 'bin/countersign'), ['account', 'list'], { PATH: path }, '/');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^countersign: Node 24\.7 or newer is needed \(on the PATH: v24\.6\.0\): [^\n]*\n$/);
});

test('without any that is new enough it says so in one line', async () => {
  const folder = cloneWithoutPackages();
  const { code, stderr } = await execute(
    join(folder, 'bin/countersign'),
    ['account', 'list'],
    { PATH: oldNodeOnly() },
    '/',
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^countersign: Node 24\.7 or newer is needed \(on the PATH: v20\.0\.0\): install it from \S+, or .* npm ci in \S+, .*\n$/,
  );
});

/** A package without the built pages, as `npm install` of a commit without build tools leaves it. */
function installedPackage(): string {
  const modules = join(temporaryDirectory(), 'node_modules');
  const installed = join(modules, 'countersign');
  for (const part of ['bin', 'src', 'migrations', 'package.json'])
    cpSync(join(clone, part), join(installed, part), { recursive: true });
  for (const name of readdirSync(join(clone, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(clone, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync(goodNode, join(modules, '.bin/node'));
  symlinkSync('../countersign/bin/countersign', join(modules, '.bin/countersign'));

  return join(modules, '.bin/countersign');
}

test('installed as a package it runs too, with the Node that npm hoisted', async () => {
  const database = await freshDatabase();
  const env = { PATH: oldNodeOnly(), DATABASE_URL: database.url };
  const { code, stdout, stderr } = await execute(installedPackage(), ['account', 'list', '--json'], env, '/');
  await database.drop();
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('without the built pages a server says in one line what to do', async () => {
  const database = await freshDatabase();
  const folder = temporaryDirectory();
  const env = { PATH: oldNodeOnly(), DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0', ROLE: 'web' };
  const { code, stderr } = await execute(installedPackage(), ['serve'], env, folder);
  await database.drop();
  expect({ code, lines: stderr.trim().split('\n') }).toEqual({
    code: 1,
    lines: [expect.stringMatching(/the pages are not built: run npm ci without --omit=dev/)],
  });
});
