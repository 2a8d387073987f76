import { expect, test } from 'vitest';
import type { DemoKeys } from '../../src/demo.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { addMember, visit } from '../console/visitor.ts';
import { freePort } from '../support/free-port.ts';
import { createCompany, startTestService } from '../support/service.ts';
import { ask } from './ask.ts';
import { startReverseProxy } from './reverse-proxy.ts';

/** Starts a new installation, and returns its output. */
async function firstStart(env: Record<string, string> = {}) {
  let token = '';
  const welcome = ({ signInToken }: DemoKeys) => {
    token = signInToken;
  };
  const app = await startTestService({ env, outside: { welcome } });
  return { app, token };
}

const useLink = (origin: string, token: string, host: string) =>
  ask(`${origin}/console/api/sign-in/use-link`, {
    method: 'POST',
    headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });

test('the demo link does not work through a proxy, and still works on this machine afterwards', async () => {
  const { app, token } = await firstStart();
  try {
    const { host } = new URL(app.service.origin);
    const company = await createCompany(app);
    const member = await addMember(app, company.id, 'owner');
    for (const manner of [
      {},
      { adds: { 'x-forwarded-host': 'sign.example.com' }, host },
      { adds: { via: 'x' }, host },
    ]) {
      const proxy = await startReverseProxy(app.service.origin, manner);
      try {
        const shown = await ask(`${proxy.origin}/sign-in/${token}`, { headers: { host: 'sign.example.com' } });
        expect(shown.status).toBe(410);
        expect(shown.text).not.toContain('owner@example.com');
        const used = await useLink(proxy.origin, token, 'sign.example.com');
        expect([JSON.parse(used.text).error?.code, used.headers.get('set-cookie')]).toEqual([expect.any(String), null]);
      } finally {
        await proxy.close();
      }
    }
    // A link that an operator makes for a person works from anywhere.
    const proxy = await startReverseProxy(app.service.origin, { adds: { 'x-real-ip': '203.0.113.9' } });
    const operators = await mintSignInLink(app.world, app.db, member.personId, 'operator');
    expect((await ask(`${proxy.origin}/sign-in/${operators}`, { headers: { host: 'sign.example.com' } })).status).toBe(
      200,
    );
    expect(JSON.parse((await useLink(proxy.origin, operators, 'sign.example.com')).text)).toEqual({
      next: 'signed_in',
    });
    await proxy.close();
    expect((await visit(app).useLink(token)).body).toEqual({ next: 'signed_in' });
  } finally {
    await app.stop();
  }
});

test('the demo link works for an hour', async () => {
  const { app, token } = await firstStart();
  try {
    app.clock.advance({ minutes: 61 });
    expect((await visit(app).useLink(token)).status).toBe(410);
  } finally {
    await app.stop();
  }
});

test('with a PUBLIC_URL the demo link works at that address, once', async () => {
  const port = await freePort();
  const { app, token } = await firstStart({ PUBLIC_URL: 'http://sign.example.com', PORT: port });
  try {
    const proxy = await startReverseProxy(`http://127.0.0.1:${port}`, { adds: { 'x-forwarded-for': '203.0.113.9' } });
    const host = 'sign.example.com';
    expect((await ask(`${proxy.origin}/sign-in/${token}`, { headers: { host } })).status).toBe(200);
    expect(JSON.parse((await useLink(proxy.origin, token, host)).text)).toEqual({ next: 'signed_in' });
    expect((await useLink(proxy.origin, token, host)).status).toBe(410);
    await proxy.close();
  } finally {
    await app.stop();
  }
});
