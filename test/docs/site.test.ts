import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../src/errors.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

/** The built site. `npm test` builds it before the tests. */
const dist = resolve(import.meta.dirname, '../../docs/site/dist');
const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
const pages = names.filter((name) => name.endsWith('.html'));

const textOf = (page: string) => readFileSync(join(dist, page), 'utf8');
const idsOf = (page: string) => [...textOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) => link as string);

describe.each(pages)('%s', (page) => {
  test('every link leads to a file of the site and to a place in it', () => {
    const broken = linksOf(page).filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [path = '', fragment] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (target.startsWith('..') || !existsSync(join(dist, target))) return true;
      return fragment !== undefined && !idsOf(target).includes(fragment);
    });
    expect(broken).toEqual([]);
  });

  test('it loads nothing from other sites, has no inline code and no id twice', () => {
    const text = textOf(page);
    const tags = text.match(/<[^>]*>/g)?.join('\n');
    expect(tags).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    const loaded = [...text.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(loaded.filter((url) => /^(https?:)?\/\//.test(url))).toEqual([]);
    const ids = idsOf(page);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

test('every client is on the site, and every page that imports one leads to its installation', () => {
  const clients = ['typescript', 'python', 'react'].map((name) => `clients/${name}.html`);
  expect(linksOf('index.html')).toEqual(expect.arrayContaining(clients));
  for (const client of clients) expect(textOf(client)).toMatch(/not on a registry yet/);
  const installed = {
    typescript: '@countersign/client',
    python: 'from countersign import',
    react: '@countersign/react',
  };
  for (const [name, imported] of Object.entries(installed)) {
    const others = pages.filter((page) => !clients.includes(page) && page !== 'changelog.html');
    const importing = others.filter((page) =>
      textOf(page)
        .replace(/<[^>]+>/g, '')
        .includes(imported),
    );
    expect(importing).not.toEqual([]);
    const without = importing.filter((page) => !linksOf(page).some((link) => link.endsWith(`clients/${name}.html`)));
    expect(without).toEqual([]);
  }
});

test('every error code is on the site, with its anchor', () => {
  expect(idsOf('reference.html')).toEqual(expect.arrayContaining(Object.keys(errorCatalogue)));
});

test('the search index has every page and every error code', () => {
  const index = textOf('search-index.js');
  for (const page of pages) expect(index).toContain(`"address":"${page}`);
  for (const code of Object.keys(errorCatalogue)) expect(index).toContain(`"address":"reference.html#${code}"`);
});

describe('the service', () => {
  let app: TestService;
  let server: { baseUrl: string };
  beforeAll(async () => {
    app = await startTestService();
    server = { baseUrl: app.service.origin };
  });
  afterAll(() => app.stop());

  const get = (path: string) => call(server, 'GET', path, { key: null });

  test('serves every file of the site, with its own address in the examples', async () => {
    for (const page of pages.filter((name) => name !== 'reference.html')) {
      const { status, headers, text } = await get(`/docs/${page}`);
      expect({ page, status }).toEqual({ page, status: 200 });
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(text).not.toContain('sign.example.com');
    }
    expect((await get('/docs/guides/send.html')).text).toContain(`${app.baseUrl}/documents`);
    for (const name of ['site.css', 'search.js', 'search-index.js', 'minisearch.js', 'verify/check_sealed_pdf.py']) {
      expect((await get(`/docs/${name}`)).status, name).toBe(200);
    }
    const picture = names.find((name) => name.endsWith('.webp')) ?? '';
    expect((await get(`/docs/${picture}`)).headers.get('content-type')).toBe('image/webp');
  });

  test('leads from the site to its own reference, and back', async () => {
    expect((await get('/docs/reference.html')).headers.get('location')).toBe('/docs');
    expect((await get('/docs')).text).toContain('href="/docs/index.html"');
    expect((await get('/docs/openapi.json')).body.servers).toEqual([{ url: app.baseUrl }]);
  });

  test('serves nothing else', async () => {
    const strange = [
      'x.html',
      '../package.json',
      '..%2f..%2fpackage.json',
      'sources.sha256',
      'guides',
      'site.css/x',
      '%00',
    ];
    for (const path of strange) expect((await get(`/docs/${path}`)).status, path).toBe(404);
  });
});
