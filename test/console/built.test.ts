import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, signedIn, type Visitor, visit } from './visitor.ts';

/** How the console's pages are served. */
let app: TestService;
let member: Visitor;
const dist = resolve(import.meta.dirname, '../../web/dist');

beforeAll(async () => {
  app = await startTestService();
  member = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'member'));
});
afterAll(() => app.stop());

interface Entry {
  file: string;
  imports?: string[];
}

const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Entry>;

/** Returns a file and everything that it imports, each once. */
function withImports(source: string, seen = new Set<string>()): Set<string> {
  if (seen.has(source)) return seen;
  seen.add(source);
  for (const imported of manifest[source]?.imports ?? []) withImports(imported, seen);
  return seen;
}

const pages = Object.keys(manifest).filter((source) => source.endsWith('-page.tsx'));

test.each(pages)('the first load of %s is at most 150 KB of JavaScript', (page) => {
  const files = new Set([...withImports('src/main.tsx'), ...withImports(page)]);
  const bytes = [...files].map((source) => statSync(join(dist, `${manifest[source]?.file}.gz`)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * 1024);
});

test('a built file is cached for ever, and sent as it was compressed', async () => {
  const html = (await member.page('/documents')).text;
  const [address = ''] = /\/console\/app\/main-[\w-]+\.js/.exec(html) ?? [];
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const { status, headers } = await member.page(address, { 'accept-encoding': accepted });
    expect([status, headers.get('content-encoding')]).toEqual([200, encoding]);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('vary')).toBe('accept-encoding');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the console and the sign-in pages have one font of at most 50 KB, requested at once and cached for ever', async () => {
  const [preload = '', font = ''] =
    /<link rel="preload" href="([^"]+\.woff2)" as="font" type="font\/woff2" crossorigin>/.exec(
      (await member.page('/documents')).text,
    ) ?? [];
  expect(preload).not.toBe('');
  const { status, headers } = await member.page(font);
  expect([status, headers.get('content-type')]).toEqual([200, 'font/woff2']);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(statSync(join(dist, font.replace('/console/app/', ''))).size).toBeLessThan(50 * 1024);
  expect((await visit(app).page('/console/sign-in.css')).text).toContain(`url("${font}") format("woff2")`);
});

test.each(['nothing.js', '..%2fsrc%2fmain.tsx', 'manifest.json', 'sources.sha256'])(
  '%s is not served',
  async (name) => {
    expect((await member.page(`/console/app/${name}`)).status).toBe(404);
  },
);

test.each([
  '/',
  '/documents',
  '/documents/x',
  '/templates',
  '/templates/x',
  '/imports',
  '/imports/x',
  '/settings',
  '/settings/keys',
  '/developers',
  '/account',
])('%s is the console for members, under a policy that lets nothing inline run', async (path) => {
  const { status, headers, text } = await member.page(path);
  expect(status).toBe(200);
  expect(text).toContain('<div id="console">');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});

test('HEAD is answered as GET, without the body, by people and by monitors', async () => {
  const address = new URL('/', app.baseUrl);
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(head.headers.get('content-length')).toBe((await fetch(address)).headers.get('content-length'));
});

test('whoever is signed out is asked to sign in, and comes back to where they were', async () => {
  const { status, headers } = await visit(app).page('/documents/abc?x=1');
  expect([status, headers.get('location')]).toEqual([302, `/?to=${encodeURIComponent('/documents/abc?x=1')}`]);
  expect((await visit(app).page(headers.get('location') ?? '')).text).toContain('data-next="/documents/abc?x=1"');
});

test.each([
  '//evil.example',
  'https://evil.example',
  '/documents/../../x',
  '/documents//evil.example',
  '/\\evil',
  '/docs',
])('nobody is led to %s', async (to) => {
  expect((await visit(app).page(`/?to=${encodeURIComponent(to)}`)).text).toContain('data-next="/"');
});

test('language and colours that were chosen are those of the next page', async () => {
  expect((await member.page('/documents', { 'accept-language': 'es' })).text).toContain('<html lang="es">');
  member.cookies.set('language', 'es');
  member.cookies.set('theme', 'dark');
  expect((await member.page('/documents')).text).toContain('<html lang="es" data-theme="dark">');
  member.cookies.set('theme', 'x"><script>');
  expect((await member.page('/documents')).text).toContain('<html lang="es">');
});

test('what was built is compressed twice', () => {
  const built = readdirSync(dist).filter((name) => /\.(js|css)$/.test(name));
  expect(built.length).toBeGreaterThan(5);
  for (const name of built) {
    for (const ending of ['br', 'gz']) expect(statSync(join(dist, `${name}.${ending}`)).size).toBeGreaterThan(0);
  }
});
