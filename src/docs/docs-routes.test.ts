import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultPlans } from '../accounts/plans.ts';
import { accountEndpoints } from '../api/account-endpoints.ts';
import { documentEndpoints } from '../api/document-endpoints.ts';
import { type DownloadDeps, downloadEndpoint } from '../api/download-endpoint.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { importEndpoints } from '../api/import-endpoints.ts';
import { answerCodesOf, ownCodesOf } from '../api/openapi/answer-codes.ts';
import { errorCatalogue, errorStatus } from '../errors.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { docsRoutes } from './docs-routes.ts';
import { anchorOf } from './reference.ts';
import { verifySignatureSample } from './verify-signature-sample.ts';

// These tests only read the table of endpoints. Nothing is enqueued.
const endpoints: Endpoint[] = [
  ...accountEndpoints,
  ...documentEndpoints({ enqueue: async () => {} }),
  downloadEndpoint({} as DownloadDeps),
  ...importEndpoints({} as ImportDeps),
];
const app = Fastify();
await app.register(docsRoutes, {
  endpoints,
  baseUrl: () => 'https://sign.example.com/api/v1',
  docsUrl: () => 'https://sign.example.com/docs',
  plans: defaultPlans,
});
const page = (await app.inject('/docs')).body;

const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);

function articleOf(id: string): string {
  return new RegExp(`<article[^>]* id="${id}".*?</article>`, 's').exec(page)?.[0] ?? '';
}

test('every error type and code has exactly one anchor', () => {
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(errorStatus), ...Object.keys(errorCatalogue)]));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every link within the page has a target', () => {
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target as string);
  expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
});

describe.each(endpoints)('$method $path', (endpoint) => {
  test('has an article with its fields, scope, error codes and an example request', () => {
    const article = articleOf(anchorOf(endpoint));
    const fields = [...Object.keys(endpoint.query ?? {}), ...Object.keys(endpoint.body?.schema.properties ?? {})];
    for (const name of fields) expect(article).toContain(`<code>${name}</code>`);
    for (const code of ownCodesOf(endpoint)) expect(article).toContain(`href="#${code}"`);
    if (endpoint.scope !== null) expect(article).toContain(endpoint.scope);
    expect(article).toContain('curl ');
  });

  test('is linked from the description of each of its error codes', () => {
    for (const code of answerCodesOf(endpoint)) {
      expect(articleOf(code)).toMatch(new RegExp(`Every endpoint|href="#${anchorOf(endpoint)}"`));
    }
  });
});

test('the page loads nothing from other sites and has no inline code', () => {
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  const loaded = [...page.matchAll(/<(?:link|img)[^>]*(?:href|src)="([^"]+)"/g)].map(([, url]) => url);
  expect(new Set(loaded)).toEqual(new Set(['/docs/icon.svg', '/docs/style.css']));
});

test('every answer has a policy that forbids inline code and other origins', async () => {
  for (const path of ['/docs', '/docs/style.css', '/docs/icon.svg', '/docs/openapi.json']) {
    const { statusCode, headers } = await app.inject(path);
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  }
});

test('the description names this server', async () => {
  const answer = await app.inject('/docs/openapi.json');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://sign.example.com/api/v1' }] });
});

test('the page supports ETags and gzip', async () => {
  const { headers } = await app.inject('/docs');
  const again = await app.inject({ path: '/docs', headers: { 'if-none-match': `W/${headers.etag}` } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const zipped = await app.inject({ path: '/docs', headers: { 'accept-encoding': 'br, gzip' } });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(page);
});

test('/docs/ redirects to /docs', async () => {
  const { statusCode, headers } = await app.inject('/docs/');
  expect([statusCode, headers.location]).toEqual([308, '/docs']);
});

test('the webhook sample accepts valid signatures and refuses all others', async () => {
  const { createHmac } = await import('node:crypto');
  const source = `data:text/javascript,${encodeURIComponent(verifySignatureSample)}`;
  const { isFromCountersign } = await import(source);
  const body = Buffer.from('{"id":"1"}');
  const at = 1_700_000_000;
  const digest = createHmac('sha256', 'whsec_secret').update(`${at}.`).update(body).digest('hex');
  const header = `t=${at},v1=${digest}`;
  const other = createHmac('sha256', 'whsec_new').update(`${at}.`).update(body).digest('hex');

  expect(isFromCountersign(header, body, 'whsec_secret', at + 299)).toBe(true);
  for (const secret of ['whsec_new', 'whsec_secret']) {
    expect(isFromCountersign(`t=${at},v1=${other},v1=${digest}`, body, secret, at)).toBe(true);
  }
  expect(isFromCountersign(`t=${at},v1=${other},v1=${other}`, body, 'whsec_secret', at)).toBe(false);
  expect(isFromCountersign(header, body, 'whsec_secret', at + 301)).toBe(false);
  expect(isFromCountersign(header, body, 'whsec_other', at)).toBe(false);
  expect(isFromCountersign(header, Buffer.from('{"id":"2"}'), 'whsec_secret', at)).toBe(false);
  expect(isFromCountersign(`v1=${digest}`, body, 'whsec_secret', at)).toBe(false);
  expect(isFromCountersign(undefined, body, 'whsec_secret', at)).toBe(false);
  expect(isFromCountersign(`t=${at}`, body, 'whsec_secret', at)).toBe(false);
  expect(isFromCountersign(`t=${at},v1`, body, 'whsec_secret', at)).toBe(false);
});

describe('machine-readable files', () => {
  test('the description has the same content in YAML and JSON', async () => {
    const [json, yaml] = await Promise.all([app.inject('/docs/openapi.json'), app.inject('/docs/openapi.yaml')]);
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml.body)).toEqual(json.json());
    for (const kind of ['json', 'yaml']) {
      const { statusCode, headers } = await app.inject(`/openapi.${kind}`);
      expect([statusCode, headers.location]).toEqual([308, `/docs/openapi.${kind}`]);
    }
  });

  test('llms.txt lists every call, and each link leads to its article', async () => {
    const { body } = await app.inject('/llms.txt');
    const anchors = [...body.matchAll(/https:\/\/sign\.example\.com\/docs#([\w-]+)/g)].map(([, anchor]) => anchor);
    expect(anchors).toHaveLength(endpoints.length);
    for (const anchor of anchors) expect(ids).toContain(anchor);
  });

  test('robots.txt allows only the reference, and the icon has the usual address', async () => {
    expect((await app.inject('/robots.txt')).body).toBe('User-agent: *\nAllow: /docs\nDisallow: /\n');
    expect((await app.inject('/favicon.ico')).headers['content-type']).toMatch(/^image\/svg\+xml/);
  });
});
