import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/index.ts';
import { drivers } from './drivers.ts';

const secret = 'whsec_3q2-7w';
const t = 1_775_000_000;
const event = {
  id: 'e1',
  event: 'document.completed',
  created_at: 'now',
  data: { document: { id: 'd1', title: 'Ä 🖊' } },
};
const body = `${JSON.stringify(event)}\n`;
const sign = (key: string, signed = `${t}.${body}`) => createHmac('sha256', key).update(signed).digest('hex');
const good = sign(secret);
const settings = { baseUrl: 'https://sign.example.com/api/v1', apiKey: 'svc_live_x' };

describe.each(drivers)('$name', (driver) => {
  afterAll(() => driver.stop());
  const verify = (header: string | null, changes: object = {}) =>
    driver.call(settings, 'verifyWebhook', { body, header, secret, now: t, ...changes });

  test.each([
    ['one signature', `t=${t},v1=${good}`, {}],
    ['the first of several', `t=${t},v1=${good},v1=${sign('whsec_old')}`, {}],
    ['the second of several', `t=${t},v1=${sign('whsec_old')},v1=${good}`, {}],
    ['parts that are not known yet', `t=${t},v0=x,v1=${good},v2=y`, {}],
    ['exactly the tolerance', `t=${t},v1=${good}`, { now: t + 300 }],
    ['a clock that is behind', `t=${t},v1=${good}`, { now: t - 300 }],
    ['a wider tolerance', `t=${t},v1=${good}`, { now: t + 3600, toleranceSeconds: 3600 }],
  ])('accepts %s', async (_name, header, changes) => {
    expect(await verify(header, changes)).toEqual({ result: event });
  });

  test.each([
    ['no header', null, {}],
    ['an empty header', '', {}],
    ['no timestamp', `v1=${good}`, {}],
    ['two timestamps', `t=${t},t=${t},v1=${good}`, {}],
    ['another timestamp', `t=${t + 1},v1=${good}`, {}],
    ['a timestamp in another spelling', `t=+${t},v1=${good}`, {}],
    ['no signature', `t=${t}`, {}],
    ['an empty signature', `t=${t},v1=`, {}],
    ['half a signature', `t=${t},v1=${good.slice(0, 32)}`, {}],
    ['a longer signature', `t=${t},v1=${good}00`, {}],
    ['upper case', `t=${t},v1=${good.toUpperCase()}`, {}],
    ['the signature of another secret', `t=${t},v1=${sign('whsec_other')}`, {}],
    ['a signature under another name', `t=${t},v0=${good}`, {}],
    ['the signature of the body alone', `t=${t},v1=${sign(secret, body)}`, {}],
    ['a changed body', `t=${t},v1=${good}`, { body: body.trimEnd() }],
    ['a time too long ago', `t=${t},v1=${good}`, { now: t + 301 }],
    ['a time too far ahead', `t=${t},v1=${good}`, { now: t - 301 }],
    ['a huge header', `t=${t},v1=${good},${'v1=x,'.repeat(10_000)}`, {}],
    ['signed bytes that are not JSON', `t=${t},v1=${sign(secret, `${t}.{`)}`, { body: '{' }],
  ])('refuses %s', async (_name, header, changes) => {
    expect((await verify(header, changes)).error?.class).toBe('WebhookSignatureError');
  });

  test.each([{ secret: '' }, { toleranceSeconds: -1 }])('%j is a mistake of the receiver', async (changes) => {
    expect((await verify(`t=${t},v1=${good}`, changes)).error?.class).toMatch(/^(TypeError|ValueError)$/);
  });
});

test('takes the body as bytes, and refuses a parsed one', async () => {
  const header = `t=${t},v1=${good}`;
  const now = new Date(t * 1000);
  const bytes = new TextEncoder().encode(body);
  expect(await verifyWebhook(bytes, header, secret, { now })).toEqual(event);
  expect(await verifyWebhook(Buffer.from(body), header, secret, { now })).toEqual(event);
  expect(await verifyWebhook(bytes.buffer, header, secret, { now })).toEqual(event);
  await expect(verifyWebhook(event as never, header, secret, { now })).rejects.toThrow(TypeError);
});
