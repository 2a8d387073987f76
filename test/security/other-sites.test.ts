import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../exposure/ask.ts';
import { freePort } from '../support/free-port.ts';
import { noteRoutes, type Route } from '../support/note-routes.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Every route, requested by a page of another site, or through a proxy with another host name. */
let app: TestService;
let routes: Route[];

beforeAll(async () => {
  ({ started: app, routes } = await noteRoutes(() => startTestService({ env: { ROLE: 'web' } })));
});
afterAll(() => app.stop());

const hostile = {
  origin: 'https://evil.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  forwarded: 'host=evil.example;proto=https',
  'x-original-url': '//evil.example/',
};
const next = ['//evil.example', 'https://evil.example/', '/\\evil.example', '/sign/..//evil.example'];
const pathOf = (url: string) => url.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000').replace('*', 'x');

/** The script for other sites, which browsers load as a module of theirs. It holds nothing. */
const isForOthers = ({ method, url }: { method: string; url: string }) => url === '/embed.js' && method !== 'POST';

test('no route allows another origin', async () => {
  const others = routes.filter((route) => !isForOthers(route));
  for (const { method, url } of [...others, { method: 'OPTIONS', url: '/api/v1/documents' }]) {
    const { headers } = await ask(app.service.origin + pathOf(url), { method, headers: hostile });
    const found = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(found, `${method} ${url}`).toEqual([]);
  }
});

test.each([null, 'https://sign.example.com'])('no route leads elsewhere, with PUBLIC_URL %s', async (publicUrl) => {
  const port = await freePort();
  const env = { ROLE: 'web', PORT: port, ...(publicUrl !== null && { PUBLIC_URL: publicUrl }) };
  const service = await startTestService({ env, databaseUrl: app.databaseUrl, clock: app.clock });
  try {
    const at = `http://127.0.0.1:${port}`;
    const gets = new Set(routes.filter(({ method }) => method === 'GET').map(({ url }) => pathOf(url)));
    for (const path of [...gets, '//evil.example/', '/\\evil.example', '/documents//evil.example']) {
      for (const host of ['evil.example', new URL(publicUrl ?? at).host]) {
        for (const query of ['', ...next.map((to) => `?to=${encodeURIComponent(to)}&next=${encodeURIComponent(to)}`)]) {
          if (path === '/console/api/live') continue;
          const { headers } = await ask(at + path + query, { headers: { ...hostile, host } });
          const location = headers.get('location');
          if (location === null) continue;
          const base = publicUrl ?? at;
          expect(new URL(location, base).origin, `${path}${query} with Host ${host}: ${location}`).toBe(base);
        }
      }
    }
  } finally {
    await service.stop();
  }
});
