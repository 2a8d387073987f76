import { closeSync, createWriteStream, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { isDiskError } from './disk-error.ts';

test('a full disk, a missing directory and a file without permission to write are errors of the disk', async () => {
  const full = createWriteStream('/dev/full');
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => full.once('error', resolve).write('a'));
  expect([error.code, error.path]).toEqual(['ENOSPC', undefined]);
  expect(isDiskError(error)).toBe(true);
  expect(isDiskError(await open('/nowhere/file', 'wx').catch((reason) => reason))).toBe(true);
  expect(isDiskError(errorOfWriting())).toBe(true);
});

test('errors of the network and of the program are not', async () => {
  const refused = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve));
  expect(isDiskError(refused)).toBe(false);
  expect(isDiskError(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }))).toBe(false);
  for (const other of [new Error('aborted'), null, 'ENOSPC']) expect(isDiskError(other)).toBe(false);
});

function errorOfWriting(): unknown {
  const readOnly = openSync('/dev/null', 'r');
  try {
    return writeSync(readOnly, 'a');
  } catch (error) {
    return error;
  } finally {
    closeSync(readOnly);
  }
}
