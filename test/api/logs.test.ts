import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { call, createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';

let app: TestService;
let written = '';

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  app = await startTestService({ env: { LOG_LEVEL: 'debug' } });
});
afterAll(async () => {
  await app.stop();
  vi.restoreAllMocks();
});

test('the log tells of every request by its id, and of no key, link or contact detail, at its most talkative', async () => {
  const { key } = await createCompany(app);
  const id = await createSent(app, key, {
    title: 'Secret merger',
    recipients: [
      { name: 'Zenobia Quux', email: 'zenobia@quux.example' },
      { name: 'Sam', channel: 'sms', phone: '+15550177' },
    ],
    content: { message: 'Keep this quiet' },
  });
  const { body } = await call(app, 'GET', `/documents/${id}/recipients?starting_after=${key}`, { key });
  const refused = [
    await call(app, 'GET', `/documents/${key}?email=zenobia@quux.example`, { key }),
    await call(app, 'POST', '/documents', {
      key,
      body: { title: '', recipients: [{ email: 'zenobia@quux.example' }] },
    }),
    await call(app, 'GET', '/account', { key: `${key}x` }),
    await call(app, 'POST', '/documents', { key, raw: `{"email":"zenobia@quux.example",` }),
  ];
  const link = await mintSigningLink(app.world, app.db, app.service.origin, { id: body.data[0].id, holder: 1 });
  await fetch(link);
  await fetch(`${link}/sign`, { method: 'POST', body: JSON.stringify({ full_name: 'Zenobia Quux' }) });
  await fetch(`${link}/decline`, { method: 'POST', body: JSON.stringify({ reason: 'Zenobia says no' }) });
  await eventually(
    () => app.db.query({ name: '', text: `select 1 from messages where status = 'pending'`, values: [] }),
    (pending) => pending.length === 0,
  );

  for (const { headers } of refused) expect(written).toContain(headers.get('x-request-id'));
  const token = link.split('/').at(-1) as string;
  for (const secret of [
    key,
    key.slice('svc_live_'.length),
    token,
    'zenobia@quux',
    'Zenobia',
    '15550177',
    'Secret merger',
    'Keep this quiet',
  ]) {
    expect(written).not.toContain(secret);
  }
});
