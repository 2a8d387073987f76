import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { secretSettings } from '../../src/secret-files.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/operate/configure.md'), 'utf8');

test('the reference lists the settings that can come from a file', () => {
  const [, list = ''] = /This works for (.*?) keys\./s.exec(page) ?? [];
  const listed = [...list.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name).sort();
  expect(list).toContain('`AWS_*`');
  expect(listed).toEqual(secretSettings.filter((name) => !name.startsWith('AWS_')).sort());
});
