import { expect, test } from 'vitest';
import { papers } from './documents.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

interface Shown {
  id: string;
  title: string;
  recipients: Array<{ display_name: string }>;
  status: string;
  voided_reason: string | null;
  is_template: boolean;
  restricted_kind: string | null;
  mirrors_document_id: string | null;
  deliveries: Array<Record<string, unknown>>;
}

interface Link {
  recipient_id: string;
  display_name: string;
  url: string | null;
}

interface Entry {
  at: string;
  actor: string;
  action: string;
  detail: Record<string, unknown>;
  seq: number;
  hash: string;
}

test('a draft is shown as the API shows it, with what only operators see', async () => {
  const at = await papers();
  const id = await at.draft({ type: 'contract', content: { message: 'Please sign', expires_in_days: 7 } });
  const party = (name: string, sign_order: number) => ({
    object: 'recipient',
    id: expect.any(String),
    document_id: id,
    display_name: name,
    email: expect.stringContaining('@example.com'),
    phone: null,
    party_role: null,
    channel: 'email',
    sign_order,
    auth_level: 'l0_email_link',
    status: 'pending',
    sent_at: null,
    viewed_at: null,
    signed_at: null,
    declined_at: null,
    declined_reason: null,
  });
  expect(await at.json('document', 'show', id)).toEqual({
    object: 'document',
    id,
    type: 'contract',
    status: 'draft',
    title: 'Lease',
    description: null,
    primary_language: 'en',
    secondary_language: null,
    recipient_count: 2,
    sent_at: null,
    completed_at: null,
    voided_at: null,
    voided_reason: null,
    expires_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    account_id: at.accountId,
    message: 'Please sign',
    sign_order_mode: 'parallel',
    expires_in_days: 7,
    reminder_days: null,
    expiry_reminder_days: null,
    send_at: null,
    send_failure: null,
    is_template: false,
    is_migrated: false,
    restricted_kind: null,
    folder_id: null,
    mirrors_document_id: null,
    sent_mode: null,
    content_sha256: null,
    seal_error: null,
    sealed_at: null,
    file: null,
    recipients: [party('Ada Lovelace', 1), party('Grace Hopper', 2)],
    fields: [],
    deliveries: [],
  });
});

test('a sent document shows what became of its messages', async () => {
  const at = await papers();
  const id = await at.sent();
  await at.sql(`update messages set attempts = 3, last_error = 'the server said 451' where document_id = $1`, id);
  const shown = await at.json<Shown>('document', 'show', id);
  expect(shown).toMatchObject({
    status: 'sent',
    sent_mode: 'live',
    content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(shown.deliveries).toHaveLength(2);
  expect(shown.deliveries[0]).toEqual({
    id: expect.any(String),
    recipient_id: expect.any(String),
    kind: 'signature_request',
    channel: 'email',
    status: 'pending',
    attempts: 3,
    last_error: 'the server said 451',
    created_at: expect.any(String),
    settled_at: null,
  });
  const text = (await at.run('document', 'show', id)).stdout.toString();
  expect(text).toMatch(/^title +Lease$/m);
  expect(text).toMatch(/\nRecipients\n.*ada@example\.com/s);
  expect(text).toMatch(/\nDeliveries\n.*the server said 451/s);
});

test('voiding ends a document once, with its reason, its event and its messages', async () => {
  const at = await papers();
  const id = await at.sent();
  const attempts = await Promise.all(
    ['first', 'second'].map((reason) => at.run('document', 'void', id, '--reason', reason)),
  );
  expect(attempts.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(attempts.find(({ code }) => code === 1)?.stderr).toBe('countersign: the document is already voided\n');

  const shown = await at.json<Shown>('document', 'show', id);
  expect(shown.status).toBe('voided');
  expect(['first', 'second']).toContain(shown.voided_reason);
  expect(shown.deliveries.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  const events = await at.sql<{ type: string }>('select type from events where document_id = $1 order by id', id);
  expect(events.map(({ type }) => type)).toEqual(['document.sent', 'document.voided']);
});

test('a reason is 1 to 1000 characters', async () => {
  const at = await papers();
  const id = await at.draft();
  expect(await at.fails(2, 'document', 'void', id)).toMatch(/--reason/);
  expect(await at.fails(2, 'document', 'void', id, '--reason', ' ')).toMatch(/1 to 1000 characters/);
  expect(await at.fails(2, 'document', 'void', id, '--reason', 'x'.repeat(1001))).toMatch(/1 to 1000 characters/);
  expect(await at.json('document', 'void', id, '--reason', '--json')).toMatchObject({ voided_reason: '--json' });
});

test('review, template and restriction change a draft, and say no to what is past that', async () => {
  const at = await papers();
  const [reviewed, template, restricted, sent] = [
    await at.draft(),
    await at.draft(),
    await at.draft(),
    await at.sent(),
  ];
  expect(await at.json('document', 'review', reviewed)).toMatchObject({ status: 'in_review' });
  expect(await at.fails(1, 'document', 'review', reviewed)).toMatch(/in_review/);
  expect(await at.fails(2, 'document', 'return', reviewed, '--note', ' ')).toMatch(/1 to 1000 characters/);
  expect(await at.json('document', 'return', reviewed, '--note', 'Too dear')).toMatchObject({ status: 'draft' });
  expect(await at.fails(1, 'document', 'return', reviewed, '--note', 'Again')).toMatch(/draft/);
  expect(await at.json<Entry[]>('document', 'audit', reviewed)).toMatchObject([
    { action: 'created', note: null },
    { action: 'submitted_for_review', note: null },
    { action: 'returned_to_draft', note: 'Too dear', actor: 'operator' },
  ]);
  expect(await at.json('document', 'template', template)).toMatchObject({ is_template: true, status: 'draft' });
  expect(await at.fails(1, 'document', 'template', template)).toMatch(/already/);
  expect(await at.json('document', 'restrict', restricted, '--kind', 'tax')).toMatchObject({ restricted_kind: 'tax' });
  expect(await at.json('document', 'restrict', restricted, '--kind', 'pay')).toMatchObject({ restricted_kind: 'pay' });
  expect(await at.json('document', 'lift-restriction', restricted)).toMatchObject({ restricted_kind: null });
  expect(await at.fails(1, 'document', 'lift-restriction', restricted)).toMatch(/not restricted/);
  expect(await at.fails(2, 'document', 'restrict', restricted, '--kind', 'secret')).toMatch(/pay, tax, identity/);
  expect(await at.fails(2, 'document', 'restrict', restricted)).toMatch(/--kind/);
  expect(await at.fails(1, 'document', 'review', sent)).toMatch(/sent/);
  expect(await at.fails(1, 'document', 'template', sent)).toMatch(/sent/);
});

test('a mirror names another document of the same account, and never each other', async () => {
  const at = await papers();
  const [one, other] = [await at.draft(), await at.draft()];
  const both = await Promise.all([
    at.run('document', 'mirror', one, '--of', other),
    at.run('document', 'mirror', other, '--of', one),
  ]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  const mirrors = await at.sql('select 1 from documents where mirrors_document_id is not null');
  expect(mirrors).toHaveLength(1);

  const third = await at.draft();
  expect(await at.fails(1, 'document', 'mirror', third, '--of', third)).toMatch(/itself/);
  // No ring through others either.
  const [first, second] = both[0]?.code === 0 ? [one, other] : [other, one];
  await at.json('document', 'mirror', second, '--of', third);
  expect(await at.fails(1, 'document', 'template', third)).toMatch(/with mirrors can't become a template/);
  expect(await at.fails(1, 'document', 'mirror', third, '--of', first)).toMatch(/already mirrors/);
  const voided = await at.sent();
  await at.json('document', 'void', voided, '--reason', 'Not needed');
  expect(await at.fails(1, 'document', 'mirror', third, '--of', voided)).toMatch(/can't be completed/);
  expect(await at.fails(1, 'document', 'mirror', third, '--of', unknownId)).toMatch(/no document/);
  expect(await at.fails(1, 'document', 'mirror', unknownId, '--of', third)).toMatch(/no document/);
  expect(await at.fails(2, 'document', 'mirror', third)).toMatch(/--of/);
  // A mirror that was voided no longer waits.
  for (const mirror of [first, second]) await at.json('document', 'void', mirror, '--reason', 'Not needed');
  expect(await at.json('document', 'template', third)).toMatchObject({ is_template: true });
});

test('a document of any status is copied to a new draft, but not a template', async () => {
  const at = await papers();
  const id = await at.sent();
  await at.json('document', 'void', id, '--reason', 'Not needed');
  const [source, copy] = [await at.json<Shown>('document', 'show', id), await at.json<Shown>('document', 'copy', id)];
  expect(copy).toMatchObject({ title: source.title, status: 'draft' });
  expect(copy.id).not.toBe(id);
  expect(copy.recipients.map(({ display_name }) => display_name)).toEqual(['Ada Lovelace', 'Grace Hopper']);
  const trail = await at.json<Entry[]>('document', 'audit', copy.id);
  expect(trail[0]).toMatchObject({ action: 'created', actor: 'operator' });

  await at.json('document', 'template', copy.id);
  expect(await at.fails(1, 'document', 'copy', copy.id)).toMatch(/template use/);
  expect(await at.fails(1, 'document', 'copy', unknownId)).toMatch(/no document/);
});

test('every showing of links mints fresh ones, and the trail says so', async () => {
  const at = await papers();
  const id = await at.sent();
  const first = await at.json<Link[]>('document', 'links', id);
  const second = await at.json<Link[]>('document', 'links', id);
  expect(first.map(({ display_name }) => display_name)).toEqual(['Ada Lovelace', 'Grace Hopper']);
  for (const { url } of [...first, ...second]) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/sign\/[\w-]{43}$/);
  expect(new Set([...first, ...second].map(({ url }) => url)).size).toBe(4);
  expect(await at.sql('select 1 from signing_links')).toHaveLength(4);

  const trail = await at.json<Entry[]>('document', 'audit', id);
  const shown = trail.filter(({ action }) => action === 'link_shown');
  expect(shown.map(({ actor }) => actor)).toEqual(Array(4).fill('operator'));
  expect(shown[0]?.detail).toEqual({ recipient_id: first[0]?.recipient_id, name: 'Ada Lovelace' });
});

test('links point to where the service is reached', async () => {
  const at = await papers({ PUBLIC_URL: 'https://sign.example.com' });
  const links = await at.json<Link[]>('document', 'links', await at.sent());
  for (const { url } of links) expect(url).toMatch(/^https:\/\/sign\.example\.com\/sign\//);
});

test('a draft has no links yet, a finished document still has', async () => {
  const at = await papers();
  const id = await at.draft();
  const { code, stdout, stderr } = await at.run('document', 'links', id, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout.toString()).map(({ url }: Link) => url)).toEqual([null, null]);
  expect(stderr).toMatch(/^countersign: the document was not sent yet/);
  expect(await at.json<Entry[]>('document', 'audit', id)).toHaveLength(1);

  await at.json('document', 'void', id, '--reason', 'gone');
  for (const { url } of await at.json<Link[]>('document', 'links', id)) expect(url).toContain('/sign/');
});

test('reminding by hand owes a message to everybody whose turn it is, with its job, and is refused for a day', async () => {
  const at = await papers();
  const id = await at.sent();
  const shown = await at.json<Shown>('document', 'remind', id);
  expect(shown).toMatchObject({ object: 'document', id, status: 'sent' });
  const reminders = shown.deliveries.filter(({ kind }) => kind === 'reminder');
  expect(reminders.map(({ channel, status }) => [channel, status])).toEqual([
    ['email', 'pending'],
    ['email', 'pending'],
  ]);
  const jobs = await at.sql<{ message: string }>(
    `select data->>'messageId' as message from jobs.job where name = 'deliver-message'`,
  );
  for (const reminder of reminders) expect(jobs.map(({ message }) => message)).toContain(reminder.id);

  const again = await at.fails(1, 'document', 'remind', id);
  expect(again).toBe('no reminder sent: everyone whose turn it is was reminded by hand in the last 24 hours');
  expect(await at.fails(1, 'document', 'remind', await at.draft())).toMatch(/does not await signatures: it is draft/);
  const trail = await at.json<Entry[]>('document', 'audit', id);
  expect(trail.slice(4).map(({ actor, action }) => [actor, action])).toEqual([
    ['operator', 'reminded'],
    ['operator', 'reminded'],
  ]);
});

test('the audit trail is an array in order, which anyone can check', async () => {
  const at = await papers();
  const id = await at.sent();
  await at.json('document', 'void', id, '--reason', 'wrong person');
  const trail = await at.json<Entry[]>('document', 'audit', id);
  expect(trail.map(({ seq, action }) => [seq, action])).toEqual([
    [1, 'created'],
    [2, 'sent'],
    [3, 'requested'],
    [4, 'requested'],
    [5, 'voided'],
  ]);
  expect(trail[4]).toEqual({
    at: expect.any(String),
    actor: 'operator',
    action: 'voided',
    detail: { reason: 'wrong person' },
    note: null,
    seq: 5,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('a trail that was tampered with is shown, and refused', async () => {
  const tampers = [
    ['entry 3', `update audit_entries set detail = '{"name":"Mallory"}' where seq = 3`],
    ['entry 2', `update audit_entries set actor = 'service' where seq = 2`],
    ['entry 3', 'delete from audit_entries where seq = 2'],
    ['end with entry 4', 'delete from audit_entries where seq = 4'],
    ['not JSON', `update audit_entries set detail = 'no json' where seq = 1`],
  ] as const;
  const at = await papers();
  for (const [told, tamper] of tampers) {
    const id = await at.sent();
    await at.sql('alter table audit_entries disable trigger user');
    await at.sql(`${tamper} and document_id = $1`, id);
    const { code, stdout, stderr } = await at.run('document', 'audit', id, '--json');
    expect(stderr).toMatch(/^countersign: the audit trail was tampered with: [^\n]+\n$/);
    expect(stderr).toContain(told);
    expect(code).toBe(1);
    expect(JSON.parse(stdout.toString() || '[]')).toBeInstanceOf(Array);
  }
});

test('a document that is not there is refused by every verb', async () => {
  const at = await papers();
  for (const verb of [
    ['show'],
    ['void', '--reason', 'x'],
    ['review'],
    ['restrict', '--kind', 'pay'],
    ['template'],
    ['remind'],
    ['links'],
    ['audit'],
  ]) {
    const [name = '', ...rest] = verb;
    expect(await at.fails(1, 'document', name, unknownId, ...rest)).toMatch(/^there is no document with the id/);
  }
  expect(await at.fails(1, 'document', 'show', `${unknownId}' --`)).toMatch(/no document/);
  expect(await at.fails(2, 'document', 'show')).toMatch(/missing required argument/);
});

test('someone who must sign in needs an e-mail address, also when the link goes to a phone', async () => {
  const at = await papers();
  const recipient = {
    name: 'Ada',
    email: 'ada@example.com',
    phone: '+15550100',
    channel: 'sms',
    auth_level: 'l0_account_session',
  } as const;
  const id = await at.sent({ recipients: [recipient] });
  const [{ id: party = '' } = {}] = (await at.json<{ recipients: { id: string }[] }>('document', 'show', id))
    .recipients;
  const reassign = ['document', 'reassign', id, '--recipient', party, '--name', 'Grace', '--phone', '+15550101'];
  expect(await at.fails(1, ...reassign)).toMatch(/an e-mail address/);
  await at.json(...reassign, '--email', 'grace@example.com');
});
