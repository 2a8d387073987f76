import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEnvFile } from './env-file.ts';
import type { Environment } from './setting-reader.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-env-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function read(content: string | Buffer, env: Environment = {}): Environment {
  const file = join(directory, '.env');
  writeFileSync(file, content);
  addEnvFile(env, file);
  return env;
}

test('the environment wins over the file, also with an empty value', () => {
  expect(read('PORT=1\nHOST=a\nROLE=web\n', { PORT: '2', HOST: '' })).toEqual({ PORT: '2', HOST: '', ROLE: 'web' });
});

test('comments, quotes, `export` and line breaks of Windows are understood, and a byte order mark', () => {
  const content = '\ufeffPORT=1 # one\r\nexport HOST="a b"\r\n# nothing\r\nROLE=\'x#y\'\r\n';
  expect(read(content)).toEqual({ PORT: '1', HOST: 'a b', ROLE: 'x#y' });
});

test('no file and an empty file add nothing', () => {
  const env: Environment = {};
  addEnvFile(env, join(directory, 'missing'));
  expect(env).toEqual({});
  expect(read('')).toEqual({});
});

test.each([
  ['UTF-16', Buffer.from('\ufeffPORT=1\n', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('PORT=1\n', 'utf16le')],
  ['Latin-1', Buffer.from('MAIL_FROM=J\u00fcrgen <a@example.com>\n', 'latin1')],
])('%s is refused', (_name, content) => {
  expect(() => read(content)).toThrow(/^cannot read .*\.env: it is not UTF-8 text$/);
});

test('a directory is refused, as container engines make one for a file that is missing', () => {
  const file = join(directory, 'directory');
  mkdirSync(file);
  expect(() => addEnvFile({}, file)).toThrow(/^cannot read .*directory: it is a directory$/);
});

function concernsOf(content: string): string[] {
  const file = join(directory, '.env');
  writeFileSync(file, content);
  const concerns: string[] = [];
  addEnvFile({}, file, (concern) => concerns.push(concern.replace(file, 'FILE')));
  return concerns;
}

test.each(['PORT 3000', 'PORT: 3000', '- PORT=3000', 'set PORT=3000', 'export PORT', '=3000', '>>>>>>> theirs'])(
  '%s is no setting, and only its line is named',
  (line) => {
    expect(concernsOf(`# mine\n${line}\nHOST=a\n`)).toEqual(['line 2 of FILE is no setting: write NAME=value']);
  },
);

test.each(['PASSWORD=ab#cd', 'PASSWORD=#cd', 'export PASSWORD = a b#c', 'PASSWORD=ab#'])(
  'what follows # in %s is not read, which is said',
  (line) => {
    expect(concernsOf(`${line}\n`)).toEqual([
      'line 1 of FILE has # in a value without quotation marks: what follows is not read, so put the value in quotation marks',
    ]);
  },
);

test('values of several lines, comments and empty lines are as they were meant', () => {
  const content = '\r\n# PORT 1\r\nA="one\r\ntwo#\nB c\n"\nexport C=1 # one\nD= # two\nE="a#b" # three\n  F=1\nG=\n';
  expect(concernsOf(content)).toEqual([]);
});
