import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Dependencies point down. Each folder may import itself and the folders listed here. Those in `composes` may import all.
 * Unit tests may import anything.
 */
const platform = ['platform', 'errors', 'config', 'tracing-settings'];
const ground = [...platform, 'public-fetch', 'postgres', 'canonical-json', 'actor', 'document-types', 'mark-kinds'];
const pdf = ['pdf', ...platform];
const mayImport: Record<string, string[]> = {
  errors: [],
  actor: [],
  'document-types': ['platform'],
  'mark-kinds': [],
  'canonical-json': [],
  config: ['errors', 'secret-files', 'tracing-settings'],
  'secret-files': ['errors'],
  'tracing-settings': ['errors'],
  platform,
  'public-fetch': platform,
  pdf: [...platform, 'public-fetch'],
  sealing: [...pdf, 'actor', 'document-types', 'mark-kinds'],
  postgres: ground,
  http: ground,
  accounts: [...ground],
  'audit-log': [...ground, 'http', 'accounts'],
  'audit-stream': [...ground, 'http', 'accounts', 'audit-log', 'messages', 'webhooks'],
  branding: [...ground, 'pdf', 'accounts'],
  messages: [...ground, 'http', 'accounts', 'branding'],
  'page-texts': [...ground, 'http'],
  keys: [...ground, 'accounts'],
  usage: [...ground, 'accounts'],
  webhooks: [...ground, 'http', 'accounts', 'messages'],
  'custom-domain': [...ground, 'http', 'accounts', 'identity'],
  documents: [...ground, 'http', 'pdf', 'sealing', 'accounts', 'identity', 'keys', 'messages', 'webhooks'],
  'bulk-send': [...ground, 'http', 'messages', 'accounts', 'documents'],
  unlock: [...ground, 'http', 'pdf', 'messages', 'accounts', 'usage', 'documents'],
  imports: [...ground, 'http', 'pdf', 'messages', 'accounts', 'keys', 'usage', 'documents', 'unlock', 'esign'],
  jobs: [...ground, 'http', 'messages'],
  'message-log': [...ground, 'http', 'accounts', 'messages', 'jobs'],
  identity: [...ground, 'http', 'accounts', 'messages'],
  esign: [...ground, 'http', 'accounts', 'messages', 'identity'],
  sso: [...ground, 'http', 'accounts', 'messages', 'identity'],
  console: [
    ...ground,
    'http',
    'pdf',
    'messages',
    'accounts',
    'audit-log',
    'audit-stream',
    'branding',
    'custom-domain',
    'identity',
    'esign',
    'sso',
    'keys',
    'usage',
    'webhooks',
    'documents',
    'imports',
    'bulk-send',
    'public-link',
    'unlock',
    'signing',
    'message-log',
    'data-export',
    'jobs',
    'operators',
    'api',
  ],
  signing: [
    ...ground,
    'http',
    'pdf',
    'sealing',
    'messages',
    'accounts',
    'branding',
    'custom-domain',
    'identity',
    'webhooks',
    'documents',
    'message-log',
    'page-texts',
  ],
  'public-link': [
    ...ground,
    'http',
    'messages',
    'accounts',
    'branding',
    'identity',
    'documents',
    'bulk-send',
    'signing',
    'page-texts',
  ],
  api: [...ground, 'http', 'messages', 'accounts', 'keys', 'usage', 'webhooks', 'documents', 'imports', 'unlock'],
  docs: [...ground, 'http', 'accounts', 'keys', 'documents', 'imports', 'unlock', 'api', 'verify'],
  secrets: [...ground, 'audit-stream', 'esign', 'identity', 'imports', 'sso', 'webhooks'],
  backup: [...ground, 'documents', 'jobs', 'messages'],
  verify: [...ground, 'http', 'pdf', 'sealing', 'documents'],
  erasure: [...ground, 'accounts', 'identity', 'esign', 'documents', 'messages', 'bulk-send'],
  'data-export': [
    ...ground,
    'http',
    'accounts',
    'audit-log',
    'branding',
    'documents',
    'message-log',
    'messages',
    'unlock',
    'usage',
  ],
  retention: [...ground, 'api', 'identity', 'usage', 'webhooks'],
  operators: [...ground, 'http', 'messages', 'accounts', 'identity', 'jobs', 'usage'],
  demo: [...ground, 'accounts', 'keys', 'identity'],
  // A client of the API: it needs nothing of the service but the limits of the plans.
  mcp: ['platform', 'accounts'],
};
const composes = new Set(['service', 'open-pdf', 'web-role', 'worker-role', 'parts', 'main', 'cli']);

const src = resolve(import.meta.dirname, '../src');

function room(file: string): string {
  return (relative(src, file).split('/')[0] ?? '').replace(/\.ts$/, '');
}

function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export)[^'"]*?from '(\.[^']+)'|^import '(\.[^']+)'/gms);
  return [...found].map((match) => resolve(dirname(file), match[1] ?? match[2] ?? ''));
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('browser/'))
  .map((name) => join(src, name));

test('dependencies point down, and siblings do not import each other', () => {
  const wrong = files.flatMap((file) => {
    const from = room(file);
    if (composes.has(from)) return [];
    return importsOf(file)
      .filter((target) => target.startsWith(src))
      .filter((target) => room(target) !== from && !(mayImport[from] ?? []).includes(room(target)))
      .map((target) => `${relative(src, file)} → ${relative(src, target)}`);
  });
  expect(wrong).toEqual([]);
});

test("the command line and the console don't import each other", () => {
  const between = files.flatMap((file) => {
    const other = { cli: 'console', console: 'cli' }[room(file)];
    return importsOf(file)
      .filter((target) => room(target) === other)
      .map((target) => `${relative(src, file)} → ${relative(src, target)}`);
  });
  expect(between).toEqual([]);
});

test('only main.ts composes a process, and nobody imports it', () => {
  const importers = files.filter((file) => importsOf(file).includes(join(src, 'main.ts')));
  expect(importers).toEqual([]);
});

test('only config.ts and the tests read the environment', () => {
  const readers = files
    .filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(src, file));
  // The other one shows it in the examples of the reference.
  expect(readers).toEqual(['config.ts', 'docs/client-sample.ts']);
});

test('no time but the clock: SQL never asks the server for the time', () => {
  const askers = files
    .filter((file) => /\bnow\(\)\s*(?:,|\)|-|\+|from)|current_timestamp/i.test(sqlOf(file)))
    .map((file) => relative(src, file));
  expect(askers).toEqual([]);
});

function sqlOf(file: string): string {
  return [...readFileSync(file, 'utf8').matchAll(/text:\s*(?:`[^`]*`|'[^']*')/g)].map((match) => match[0]).join('\n');
}
