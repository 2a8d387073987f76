import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'README.md')),
];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(pages)('every link of %s leads to a file that exists', (page) => {
  const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  const files = targets.filter((target) => !/^(https?:|mailto:|#)/.test(target)).map((target) => target.split('#')[0]);
  const missing = files.filter((file) => !existsSync(join(root, dirname(page), file as string)));
  expect(missing).toEqual([]);
});

test.each(pages.filter((page) => page.startsWith('docs/security/') || page === 'SECURITY.md'))(
  'every source file and test that %s names exists',
  (page) => {
    const named = [...textOf(page).matchAll(/`((?:src|test|migrations|bin|web)\/[^`\s]*)`/g)].map(
      ([, path]) => path as string,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${join(folder, name)}`);

/** Paths are relative to the repository or to a folder in it, and a file may be named alone. */
test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/develop/choices.md', 'docs/develop/journeys.md'])(
  'every file that %s names exists',
  (page) => {
    const folders = ['bench', 'docs', 'migrations', 'packages', 'samples', 'src', 'test', 'web/src'];
    const files = [...folders.flatMap(filesIn), ...readdirSync(root).map((name) => `/${name}`)];
    const named = [...textOf(page).matchAll(/`((?:[\w@.-]+\/)*[\w@.-]+\.(?:tsx?|mjs|py|sql|sh|jsonc?|ya?ml))`/g)];
    const paths = named.map(([, path]) => path as string).filter((path) => !notInRepository.includes(path));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  },
);

/** Files that the service makes. */
const notInRepository = ['audit.json'];

/** The number of requirements of level 1 or 2 in each section of ASVS 5.0.0. They are numbered from 1. */
// biome-ignore format: one line for each chapter
const requirementsOfSection: Record<string, number> = {
  '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2,
  '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1,
  '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2,
  '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4,
  '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3,
  '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4,
  '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2,
  '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1,
  '9.1': 3, '9.2': 4,
  '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3,
  '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1,
  '12.1': 3, '12.2': 2, '12.3': 4,
  '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5,
  '14.1': 2, '14.2': 4, '14.3': 3,
  '15.1': 3, '15.2': 3, '15.3': 7,
  '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3,
  '17.1': 1, '17.2': 4, '17.3': 2,
};

interface Row {
  id: string;
  status: string;
  where: string;
  proof: string;
}

function asvsRows(): Row[] {
  const lines = textOf('docs/security/asvs.md').split('\n');
  return lines
    .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
    .map((line) => {
      const [requirement = '', status = '', where = '', proof = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return { id: requirement.split(' ')[0] as string, status, where, proof };
    });
}

test('the ASVS table has each requirement of levels 1 and 2 once, in order', () => {
  const expected = Object.entries(requirementsOfSection).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  expect(asvsRows().map(({ id }) => id)).toEqual(expected);
});

test('a requirement that is met names where or by which test, and one that is not gives a reason', () => {
  for (const { id, status, where, proof } of asvsRows()) {
    expect(['met', 'n/a', 'no'], id).toContain(status);
    if (status === 'met') expect(where + proof, id).not.toBe('');
    if (status === 'no') expect(where.length, id).toBeGreaterThan(40);
  }
});
