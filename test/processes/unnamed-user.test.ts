import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin } from '../cli/countersign.ts';
import { freshDataDir } from '../support/embedded.ts';

const unnamed = 54_321;
/** Needs root to become that user, and a clone that the user can read. */
const canBecome =
  process.getuid?.() === 0 &&
  spawnSync('/bin/sh', ['-c', `getent passwd ${unnamed}`]).status !== 0 &&
  spawnSync('test', ['-x', bin], { uid: unnamed, gid: unnamed }).status === 0;

test.runIf(canBecome)('a user without a name is told to use DATABASE_URL or get one', () => {
  const parent = freshDataDir();
  chownSync(parent, unnamed, unnamed);
  const dataDir = join(parent, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, unnamed, unnamed);
  const { status, stderr } = spawnSync(bin, ['account', 'list'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    cwd: '/',
    uid: unnamed,
    gid: unnamed,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^countersign: [^\n]*needs a name for user 54321, [^\n]*DATABASE_URL\n$/);
});
