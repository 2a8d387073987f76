import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { homeRoutes } from './home-routes.ts';

async function homeFor(remoteAddress: string, showsMailbox: boolean) {
  const app = Fastify();
  await app.register(homeRoutes, { showsMailbox });
  return app.inject({ path: '/', remoteAddress });
}

test('the home page leads to the reference and holds nothing inline or from elsewhere', async () => {
  const { body, headers } = await homeFor('203.0.113.9', true);
  expect(body).toContain('href="/docs"');
  expect(body).not.toMatch(/<script|<style|\sstyle=|https?:/);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
});

test('the link to the local mailbox shows only while there is one, and only to this machine', async () => {
  const showsLink = async (address: string, showsMailbox: boolean) =>
    (await homeFor(address, showsMailbox)).body.includes('href="/mailbox"');
  expect(await showsLink('127.0.0.1', true)).toBe(true);
  expect(await showsLink('::1', true)).toBe(true);
  expect(await showsLink('::ffff:127.0.0.1', true)).toBe(true);
  expect(await showsLink('127.0.0.1', false)).toBe(false);
  expect(await showsLink('203.0.113.9', true)).toBe(false);
});
