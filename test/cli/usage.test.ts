import { expect, test } from 'vitest';
import { bin, execute, placeOn } from './countersign.ts';

/** Wrong usage is reported before settings or the database are read. This database cannot be reached. */
const nowhere = { DATABASE_URL: 'postgresql://operator:hunter2@127.0.0.1:1/nowhere' };

test('help is there on every level, on standard output', async () => {
  const at = placeOn(nowhere);
  for (const level of [[], ['document'], ['document', 'void'], ['serve']]) {
    const { code, stdout, stderr } = await at.run(...level, '--help');
    expect({ code, stderr }, level.join(' ')).toEqual({ code: 0, stderr: '' });
    expect(stdout.toString()).toContain(['Usage: countersign', ...level].join(' '));
  }
});

test('what it does not understand is exit 2 and one line', async () => {
  const at = placeOn(nowhere);
  expect(await at.fails(2, 'acount', 'list')).toBe("unknown command 'acount' (Did you mean account?)");
  expect(await at.fails(2, 'account', 'list', '--frobnicate')).toMatch(/unknown option/);
  expect(await at.fails(2, '--frobnicate')).toMatch(/unknown option/);
  expect(await at.fails(2, 'serve', '--json')).toMatch(/unknown option/);
  expect(await at.fails(2, 'migrate', 'now')).toMatch(/too many arguments/);
  expect(await at.fails(2, '\u001b[2J\n')).not.toMatch(/[^\P{C}]/u);
  expect(await at.fails(2, 'x'.repeat(100_000))).toMatch(/^unknown command 'x{300}/);
});

test('a noun without a verb shows what there is', async () => {
  const at = placeOn(nowhere);
  for (const words of [[], ['account']]) {
    const { code, stdout, stderr } = await at.run(...words);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(['Usage: countersign', ...words].join(' '));
  }
});

test('a setting or a database that is wrong is one line, and the password stays out of it', async () => {
  const at = placeOn(nowhere);
  const told = await at.fails(1, 'account', 'list');
  expect(told).toMatch(/^the database cannot be reached \(connect ECONNREFUSED/);
  expect(told).not.toContain('hunter2');
  expect(await at.fails(1, 'migrate')).toMatch(/^the database cannot be reached/);
  expect(await placeOn({ ...nowhere, PORT: 'x' }).fails(1, 'account', 'list')).toMatch(/^bad setting PORT/);
});

test('a reader that leaves early is no error, a full disk is', async () => {
  const at = placeOn({});
  const shell = (script: string) =>
    execute(
      '/bin/sh',
      ['-c', script, 'sh', bin],
      { ...(process.env as Record<string, string>), DATA_DIR: at.dataDir },
      '/',
    );
  const left = await shell('{ "$1" mailbox list; echo "exit $?" >&2; } | true');
  expect(left.stderr).toBe('exit 0\n');
  const full = await shell('"$1" mailbox list > /dev/full');
  expect(full.code).toBe(1);
  expect(full.stderr).toMatch(/^countersign: cannot write the output: [^\n]*ENOSPC[^\n]*\n$/);
});

test('the version is that of the package and the clone, and --json may come first', async () => {
  expect((await placeOn({}).run('--json', 'mailbox', 'list')).stdout.toString()).toBe('[]\n');
  expect((await placeOn(nowhere).run('--version')).stdout.toString()).toMatch(
    /^\d+\.\d+\.\d+( \(commit [0-9a-f]{12}\))?\n$/,
  );
});
