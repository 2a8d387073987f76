import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'countersign-release-'));
  cpSync(join(root, 'deploy/release.sh'), join(clone, 'deploy/release.sh'));
  writeFileSync(join(clone, 'package.json'), '{\n  "name": "countersign",\n  "version": "1.2.0",\n}\n');
  writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n\n## [1.1.0] - 2026-01-01\n\n- Earlier.\n');
  writeFileSync(join(clone, '.gitignore'), 'release/\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});
afterEach(() => rmSync(clone, { recursive: true }));

function git(...args: string[]): void {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', clone, ...author, ...args]);
}

const release = () => {
  const { status, stderr } = spawnSync(join(clone, 'deploy/release.sh'), { encoding: 'utf8' });
  return { status, stderr };
};
const refused = (reason: string) => ({ status: 1, stderr: `npm run release: ${reason}\n` });

test('a clone with changes is refused', () => {
  git('tag', 'v1.2.0');
  writeFileSync(join(clone, 'package.json'), '{\n  "version": "1.2.0",\n  "private": true\n}\n');
  expect(release()).toEqual(refused('the clone has changes: commit or remove them'));
});

test('a commit without the tag of its version is refused', () => {
  git('tag', 'v1.1.0');
  expect(release()).toEqual(refused('this commit has no tag v1.2.0: git tag v1.2.0'));
});

test('a version without notes is refused', () => {
  git('tag', 'v1.2.0');
  expect(release()).toEqual(refused('CHANGELOG.md has no section [1.2.0]'));
});
