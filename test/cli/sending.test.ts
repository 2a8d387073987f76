import { expect, test } from 'vitest';
import { sendScheduled } from '../../src/documents/send-scheduled.ts';
import { call, createCompany, createDraft, startTestService } from '../support/service.ts';
import { audited } from './audited.ts';
import { placeOn } from './countersign.ts';
import { type Papers, papers } from './documents.ts';

/** When documents are sent, expire and remind, on the command line. */

const defaults = { expires_in_days: null, reminder_days: null, expiry_reminder_days: null };
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test("a company's sending defaults are shown, changed in parts, and recorded", async () => {
  const at = await papers();
  const sending = (...options: string[]) => at.json('account', 'sending', at.accountId, ...options);
  const service_reminder_days = [3, 7, 7, 7, 7];
  const view = { id: at.accountId, ...defaults, service_reminder_days };
  expect(await sending()).toEqual(view);
  const chosen = { ...view, expires_in_days: 30, reminder_days: [3, 7, 7], expiry_reminder_days: 2 };
  expect(await sending('--expires-in', '30', '--reminders', '3, 7, 3', '--before-expiry', '2')).toEqual(chosen);
  expect(await sending('--reminders', 'none')).toEqual({ ...chosen, reminder_days: [] });
  expect(await sending('--expires-in', 'never')).toEqual({ ...chosen, reminder_days: [], expires_in_days: null });
  expect(await sending('--reminders', 'standard', '--before-expiry', 'none')).toEqual(view);
  expect(await audited(at, at.accountId)).toEqual(['key_created', ...Array(4).fill('sending_defaults_set')]);

  expect(await at.fails(1, 'account', 'sending', at.accountId, '--expires-in', '5', '--before-expiry', '5')).toMatch(
    /later expiry/,
  );
  for (const option of [
    ['--expires-in', '0'],
    ['--expires-in', '366'],
    ['--expires-in', '1e1'],
    ['--reminders', '3,7'],
    ['--reminders', '3,7,21'],
    ['--reminders', '3,7,5,1'],
    ['--reminders', '-1,7,5'],
    ['--reminders', '٣,7,5'],
    ['--before-expiry', ''],
  ]) {
    expect(await at.fails(2, 'account', 'sending', at.accountId, ...option)).toContain(option[0]);
  }
  expect(await sending()).toEqual(view);
});

test("a company's notices are shown and chosen", async () => {
  const at = await papers();
  const notices = (...options: string[]) => at.json('account', 'notices', at.accountId, ...options);
  const all = (await notices()) as { kinds: string[] };
  expect(all.kinds).toHaveLength(9);
  const some = { id: at.accountId, kinds: ['sender_completed', 'recipient_voided'] };
  expect(await notices('--kinds', 'recipient_voided, sender_completed')).toEqual(some);
  expect(await notices()).toEqual(some);
  expect(await notices('--kinds', 'none')).toEqual({ ...some, kinds: [] });
  expect(await notices('--kinds', 'all')).toEqual(all);
  expect(await at.fails(2, 'account', 'notices', at.accountId, '--kinds', 'all,none')).toMatch(/unknown: all, none/);
  expect(await audited(at, at.accountId)).toEqual(['key_created', ...Array(3).fill('notices_chosen')]);
});

test('the expiry and the reminders of a draft and a template are set, and fixed once it is sent', async () => {
  const at = await papers();
  const id = await at.draft();
  const sending = (...options: string[]) => at.json('document', 'sending', id, ...options);
  expect(await sending()).toMatchObject({ id, status: 'draft', ...defaults });
  const chosen = { expires_in_days: 30, reminder_days: [2, 4, 4], expiry_reminder_days: 1 };
  const options = ['--expires-in', '30', '--reminders', '2,4,3', '--before-expiry', '1'];
  expect(await sending(...options)).toMatchObject(chosen);
  await sending(...options);
  expect(await at.json('document', 'show', id)).toMatchObject({ ...chosen, title: 'Lease', recipient_count: 2 });
  const trail = await at.json<{ action: string; detail: object }[]>('document', 'audit', id);
  expect(trail.filter(({ action }) => action === 'edited').map(({ detail }) => detail)).toEqual([
    { changes: ['expires_in_days', 'reminders'], recipients: 2, fields_removed: 0 },
  ]);
  expect(await at.fails(1, 'document', 'sending', id, '--expires-in', 'never')).toMatch(/never expires/);
  expect(await sending('--expires-in', 'never', '--before-expiry', 'none')).toMatchObject({ expires_in_days: null });

  const template = await at.draft();
  await at.json('document', 'template', template);
  expect(await at.json('document', 'sending', template, '--expires-in', '9')).toMatchObject({ expires_in_days: 9 });
  const sent = await at.sent();
  expect(await at.fails(1, 'document', 'sending', sent, '--expires-in', '9')).toMatch(/only an unsent document/);
  expect(await at.fails(1, 'document', 'sending', 'x')).toBe('there is no document with the id "x"');
});

test('a document is scheduled, gets another time, and its schedule ends when it is sent', async () => {
  const at = await papers();
  const id = await at.draft();
  const send = (sendAt: string) => at.json('document', 'send', id, '--at', sendAt);
  const first = soon(90);
  expect(await send(first)).toMatchObject({ status: 'draft', send_at: first, deliveries: [] });
  expect(await send(first)).toMatchObject({ send_at: first });
  const day = soon(1440).slice(0, 10);
  expect(await send(`${day}T23:30:00+02:00`)).toMatchObject({ send_at: `${day}T21:30:00.000Z` });
  expect(await at.json('document', 'list', '--account', at.accountId, '--scheduled')).toMatchObject([{ id }]);
  expect(await at.fails(1, 'document', 'sending', id, '--expires-in', '9')).toMatch(/cancel the schedule/);
  await at.json('document', 'cancel-schedule', id);
  await send(first);
  expect(await at.json('document', 'send', id)).toMatchObject({ status: 'sent', send_at: null });
  const trail = await at.json<{ actor: string; action: string }[]>('document', 'audit', id);
  expect(trail.filter(({ actor }) => actor === 'operator').map(({ action }) => action)).toEqual([
    ...Array(3).fill('send_scheduled'),
    'schedule_cancelled',
    'send_scheduled',
    'sent',
  ]);
});

test('a document is not scheduled for the past, for no time at all, or when it cannot be sent', async () => {
  const at = await papers();
  const id = await at.draft();
  const year = 365 * 24 * 60;
  for (const time of [soon(-1), soon(0.5), soon(year + 1), '1999-12-31T23:59:59Z', '9999-12-31T23:59:59Z']) {
    expect(await at.fails(1, 'document', 'send', id, '--at', time), time).toMatch(
      /at least a minute and at most a year/,
    );
  }
  for (const time of [
    '',
    'tomorrow',
    '2030-01-31',
    '2030-01-31T12:00:00',
    '2030-02-30T12:00:00Z',
    '2030-01-31T12:00:00٠Z',
  ]) {
    expect(await at.fails(2, 'document', 'send', id, '--at', time), time).toMatch(/RFC 3339/);
  }
  const at2 = ['--at', soon(60)];
  expect(await at.fails(1, 'document', 'send', await at.sent(), ...at2)).toMatch(/draft or in_review can be sent/);
  const copies = [{ name: 'Eve', email: 'eve@example.com', role: 'cc' }];
  expect(await at.fails(1, 'document', 'send', await at.draft({ recipients: copies }), ...at2)).toMatch(
    /nobody to sign/,
  );
  const template = await at.draft();
  await at.json('document', 'template', template);
  expect(await at.fails(1, 'document', 'send', template, ...at2)).toMatch(/template use/);
  await at.json('account', 'remove', at.accountId);
  expect(await at.fails(1, 'document', 'send', id, ...at2)).toMatch(/^the account was removed/);
  expect(await scheduledOf(at)).toEqual([]);
});

async function scheduledOf(at: Papers): Promise<unknown[]> {
  return at.sql('select id from documents where send_at is not null');
}

test('a running service sends at that time what the operator scheduled, restricted and in review too', async () => {
  const app = await startTestService({ env: { ROLE: 'web' } });
  try {
    const company = await createCompany(app);
    const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
    const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
    const [plain, restricted] = [
      await createDraft(app, company.key, { recipients }),
      await createDraft(app, company.key, { recipients }),
    ];
    await at.json('document', 'restrict', restricted, '--kind', 'pay');
    await at.json('document', 'review', restricted);
    for (const id of [plain, restricted]) await at.json('document', 'send', id, '--at', soon(2));
    app.clock.advance({ seconds: (Date.parse(soon(3)) - app.clock.now().getTime()) / 1000 });
    expect(await sendScheduled(app.world, app.db, await app.queue())).toBe(2);
    expect((await call(app, 'GET', `/documents/${plain}`, { key: company.key })).body).toMatchObject({
      status: 'sent',
    });
    expect(await at.json('document', 'show', restricted)).toMatchObject({
      status: 'sent',
      sent_mode: 'live',
      send_at: null,
    });
  } finally {
    await app.stop();
  }
});
