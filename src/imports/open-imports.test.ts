import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeAbandoned } from './open-imports.ts';

test('what a killed process left is removed, what is on its way is not', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-incoming-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of ['left', 'coming']) writeFileSync(join(directory, name), 'half a file');
  const fourHoursAgo = Date.now() / 1000 - 4 * 3600;
  utimesSync(join(directory, 'left'), fourHoursAgo, fourHoursAgo);
  await removeAbandoned(directory);
  expect(readdirSync(directory)).toEqual(['coming']);
});
