import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import type { ErrorCode } from '../../src/errors.ts';
import {
  type Answer,
  aDraft,
  type Company,
  call,
  createCompany,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectRefusal } from './refusal.ts';
import { untilBlocked } from './until-blocked.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());
// The clock stands still, so every test gets a burst budget of its own.
beforeEach(async () => {
  company = await createCompany(app);
});

const create = (body: unknown) => call(app, 'POST', '/documents', { key: company.key, body });
const createRaw = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  call(app, 'POST', '/documents', { key: company.key, raw, headers });

async function recipientsOf(id: string) {
  return (await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key })).body.data;
}

/** Counts the rows that a create writes. None may remain after a refusal. */
async function rowsOf(accountId: string): Promise<unknown> {
  const [row] = await app.db.query({
    name: '',
    text: `select (select count(*)::int from documents where account_id = $1) as documents,
                  (select count(*)::int from recipients where account_id = $1) as recipients,
                  (select count(*)::int from audit_entries where account_id = $1) as audit,
                  (select count(*)::int from events where account_id = $1) as events,
                  (select count(*)::int from messages where account_id = $1) as messages`,
    values: [accountId],
  });
  return row;
}

describe('the draft', () => {
  test('is answered in exactly the fields of the specification', async () => {
    const { status, body } = await create(aDraft);
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      object: 'document',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      type: 'form',
      status: 'draft',
      title: 'Roof repair',
      description: null,
      primary_language: 'en',
      secondary_language: null,
      recipient_count: 1,
      sent_at: null,
      completed_at: null,
      voided_at: null,
      voided_reason: null,
      expires_at: null,
      created_at: app.clock.now().toISOString(),
      updated_at: app.clock.now().toISOString(),
    });
  });

  test('is what retrieving and listing show afterwards, byte for byte', async () => {
    const created = await create(aDraft);
    const read = await call(app, 'GET', `/documents/${created.body.id}`, { key: company.key });
    expect(read.text).toBe(created.text);
    const { body } = await call(app, 'GET', '/documents', { key: company.key });
    expect(body.data).toStrictEqual([created.body]);
  });

  test('keeps everything that was given', async () => {
    const { status, body } = await create({
      title: 'Contrato de obra',
      type: 'contract',
      primary_language: 'es',
      recipients: [
        {
          name: 'Grace Hopper',
          email: 'grace@example.com',
          phone: '+1 555 0100',
          role: 'Owner',
          channel: 'sms',
          sign_order: 7,
          auth_level: 'l1_email_sms_otp',
        },
        { name: 'Ada Lovelace', role: 'cc', email: 'ada@example.com', sign_order: 3 },
      ],
      content: { message: 'Por favor, firme.', sign_order_mode: 'sequential', expires_in_days: 30 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Contrato de obra',
      type: 'contract',
      primary_language: 'es',
      recipient_count: 2,
      expires_at: null,
    });
    expect(await recipientsOf(body.id)).toMatchObject([
      { display_name: 'Ada Lovelace', party_role: 'cc', sign_order: 3 },
      {
        display_name: 'Grace Hopper',
        email: 'grace@example.com',
        phone: '+1 555 0100',
        party_role: 'Owner',
        channel: 'sms',
        sign_order: 7,
        auth_level: 'l1_email_sms_otp',
      },
    ]);
    const [kept] = await app.db.query({
      name: '',
      text: 'select message, sign_order_mode, expires_in_days from documents where id = $1',
      values: [body.id],
    });
    expect(kept).toEqual({ message: 'Por favor, firme.', sign_order_mode: 'sequential', expires_in_days: 30 });
  });

  test('gives what was left out its documented default', async () => {
    const { body } = await create({
      title: 'Defaults',
      recipients: [
        { name: 'First', email: 'first@example.com' },
        { name: 'Second', email: 'second@example.com' },
      ],
    });
    const defaults = {
      object: 'recipient',
      document_id: body.id,
      phone: null,
      party_role: null,
      channel: 'email',
      auth_level: 'l0_email_link',
      status: 'pending',
      sent_at: null,
      viewed_at: null,
      signed_at: null,
      declined_at: null,
      declined_reason: null,
    };
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(await recipientsOf(body.id)).toStrictEqual([
      { ...defaults, id, display_name: 'First', email: 'first@example.com', sign_order: 1 },
      { ...defaults, id, display_name: 'Second', email: 'second@example.com', sign_order: 2 },
    ]);
    const [kept] = await app.db.query({
      name: '',
      text: 'select message, sign_order_mode, expires_in_days from documents where id = $1',
      values: [body.id],
    });
    expect(kept).toEqual({ message: null, sign_order_mode: 'parallel', expires_in_days: null });
  });

  test('delivers nothing and tells no webhook', async () => {
    await create(aDraft);
    expect(await rowsOf(company.id)).toEqual({ documents: 1, recipients: 1, audit: 1, events: 0, messages: 0 });
  });

  test('made with a test key is the same data that a live key reads', async () => {
    const created = await call(app, 'POST', '/documents', { key: company.testKey, body: aDraft });
    const read = await call(app, 'GET', `/documents/${created.body.id}`, { key: company.key });
    expect({ status: read.status, text: read.text }).toEqual({ status: 200, text: created.text });
  });

  test('of a type that the account restricts exists, but for no API key', async () => {
    await app.db.query({
      name: '',
      text: `update accounts set restricted_types = '{w9}' where id = $1`,
      values: [company.id],
    });
    const { status, body } = await create({ ...aDraft, type: 'w9' });
    expect(status).toBe(201);
    expectRefusal(await call(app, 'GET', `/documents/${body.id}`, { key: company.key }), 'document_not_found');
    expect((await call(app, 'GET', '/documents', { key: company.key })).body.data).toEqual([]);
  });
});

const astral = (count: number) => '🏗'.repeat(count);
const ascii = (count: number) => 'x'.repeat(count);
const addressOf = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
const withRecipient = (changes: object) => ({
  ...aDraft,
  recipients: [{ name: 'Ada', email: 'ada@example.com', ...changes }],
});
const withContent = (content: unknown) => ({ ...aDraft, content });
const without = (body: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([property]) => property !== name));

/** Text that PostgreSQL cannot store, and no field may contain. */
const unstorable: Array<[string, string]> = [
  ['U+0000', 'a\u0000b'],
  ['a lone high surrogate', 'a\ud800b'],
  ['a lone low surrogate', '\udc00'],
  ['surrogates in the wrong order', '\udc00\ud800'],
];
const notText: Array<[string, unknown]> = [
  ['a number', 5],
  ['a boolean', true],
  ['an array', ['x']],
  ['an object', {}],
];

type Accepted = [what: string, body: object, shown?: object];

describe('accepted:', () => {
  const titles: Accepted[] = [
    ['one character', 'x'],
    ['200 characters', ascii(200)],
    ['200 astral characters', astral(200)],
    ['white space around it, kept', '  x\t'],
    ...['\u200b', '\ufeff', '\u2060', '\u00ad', '\u0001', '\u{e0041}', '\u200b '].map((title): [string, string] => [
      `the invisible U+${title.codePointAt(0)?.toString(16)}`,
      title,
    ]),
    ['a right-to-left override', 'invoice \u202egpj.exe'],
    ['a line break', 'one\ntwo'],
    ['a combining sequence', 'e\u0301'],
    ['noncharacters and private use', '\uffff\ue000\u{10ffff}'],
    ['HTML and SQL', `<script>alert(1)</script>'; drop table documents; --`],
  ].map(([what, title]) => [`a title of ${what}`, { ...aDraft, title }, { title }] as Accepted);

  const types: Accepted[] = [
    'contract',
    'form',
    'letter',
    'estimate',
    'change_order',
    'invoice',
    'lien_waiver',
    'notice_to_owner',
    'schedule_of_values',
    'pay_app',
    'coi',
    'license',
    'other',
    'w9',
    'warranty',
    'completion_certificate',
    'safety_acknowledgment',
    'general',
    'receipt',
    'note',
    'check',
    'notice_of_commencement',
    'comment_letter',
  ].map((type) => [`the type ${type}`, { ...aDraft, type }, { type }]);

  const nulls: Accepted[] = [
    ['null for the type', { ...aDraft, type: null }, { type: 'form' }],
    ['null for the language', { ...aDraft, primary_language: null }, { primary_language: 'en' }],
    ['null for the parts of content', withContent({ message: null, sign_order_mode: null, expires_in_days: null })],
    [
      'null for what a recipient may leave out',
      withRecipient({ phone: null, role: null, channel: null, sign_order: null, auth_level: null }),
    ],
    ['null for the address of somebody reached otherwise', withRecipient({ channel: 'in_person', email: null })],
  ];

  const unknown: Accepted[] = [
    ['unknown properties', { ...aDraft, id: 'x', status: 'sent', account_id: 5, fields: [{ deep: [null] }] }],
    ['unknown properties of a recipient', withRecipient({ id: 'x', status: 'signed', signed_at: 'now' })],
    ['unknown properties of content', withContent({ fields: [{ page: 1 }], sign_order: 3 })],
    ['empty content', withContent({})],
  ];

  const languages: Accepted[] = ['en', 'es'].map((primary_language) => [
    `the language ${primary_language}`,
    { ...aDraft, primary_language },
    { primary_language },
  ]);

  const contents: Accepted[] = [
    ['an empty message', withContent({ message: '' })],
    ['a message of 2000 characters', withContent({ message: ascii(2000) })],
    ['a message of 2000 astral characters', withContent({ message: astral(2000) })],
    ['a parallel document', withContent({ sign_order_mode: 'parallel' })],
    ['a sequential document', withContent({ sign_order_mode: 'sequential' })],
    ['one day to sign', withContent({ expires_in_days: 1 })],
    ['365 days to sign', withContent({ expires_in_days: 365 })],
  ];

  const counts: Accepted[] = [1, 20].map((count) => [
    `${count} recipients`,
    { ...aDraft, recipients: Array.from({ length: count }, (_, i) => ({ name: `R${i}`, email: `r${i}@example.com` })) },
    { recipient_count: count },
  ]);

  test.for([...titles, ...types, ...languages, ...nulls, ...unknown, ...contents, ...counts])(
    '%s',
    async ([, body, shown]) => {
      const answer = await create(body);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toMatchObject({ status: 'draft', ...shown });
    },
  );

  const recipients: Array<[what: string, given: Record<string, unknown>, shown?: object]> = [
    ['a name of one character', { name: 'x' }],
    ['a name of 120 characters', { name: ascii(120) }],
    ['a name of 120 astral characters', { name: astral(120) }],
    ['a right-to-left name', { name: '\u202bمحمد\u202c' }],
    ['an address of 254 characters', { email: addressOf(254) }],
    ...[
      'ada+tag@example.com',
      "o'brien@example.co.uk",
      'ADA@EXAMPLE.COM',
      'x_y-z@sub.example.museum',
      'jos\u00e9@m\u00fcnchen.example',
    ].map((email): [string, Record<string, unknown>] => [`the address ${email}`, { email }]),
    ['a phone of 40 characters', { phone: ascii(40) }],
    ['a phone of 40 astral characters', { phone: astral(40) }],
    ['a phone with an extension', { phone: '+1 (555) 010-9999 ext. 7' }],
    ['a role of 60 characters', { role: ascii(60) }, { party_role: ascii(60) }],
    ['a role of 60 astral characters', { role: astral(60) }, { party_role: astral(60) }],
    ['an empty role, which is none', { role: '' }, { party_role: null }],
    ['an empty phone, which is none', { phone: '' }, { phone: null }],
    ['a phone of spaces', { phone: '   ' }],
    ['a phone of spaces for SMS', { channel: 'sms', phone: ' ' }],
    ...['\u200b', '\ufeff', '\u2060', '\u00ad', '\u0001', '\u{e0041}'].map(
      (name): [string, Record<string, unknown>] => [`a name of U+${name.codePointAt(0)?.toString(16)}`, { name }],
    ),
    ['the role cc', { role: 'cc' }, { party_role: 'cc' }],
    ['the role approver', { role: 'approver' }, { party_role: 'approver' }],
    ['the channel email', { channel: 'email' }],
    ['the channel sms', { channel: 'sms', phone: '+15550100' }],
    ['the channel sms without an address', { channel: 'sms', phone: '+15550100', email: null }],
    ['the channel in_person without any contact', { channel: 'in_person', email: null }],
    ['turn 1', { sign_order: 1 }],
    ['turn 2147483647', { sign_order: 2_147_483_647 }],
    ['the e-mail link', { auth_level: 'l0_email_link' }],
    ['the SMS code', { auth_level: 'l1_email_sms_otp', phone: '+15550100' }],
    ['the SMS code in person', { auth_level: 'l1_email_sms_otp', phone: '+15550100', channel: 'in_person' }],
    ['the account session', { auth_level: 'l0_account_session' }],
    ['the account session for an approver', { auth_level: 'l0_account_session', role: 'approver' }],
    ['a cc without a code', { auth_level: 'l0_email_link', role: 'cc' }],
  ];

  test.for(recipients)('a recipient with %s', async ([, given, shown]) => {
    const answer = await create(withRecipient(given));
    expect(answer.status, answer.text).toBe(201);
    const { role, ...sameName } = given;
    const { name, ...rest } = sameName;
    const [recipient] = await recipientsOf(answer.body.id);
    expect(recipient).toMatchObject({ ...rest, ...(name === undefined ? {} : { display_name: name }), ...shown });
  });
});

type Refused = [what: string, body: unknown, code: ErrorCode, param: string];

describe('refused:', () => {
  const refusedText = (what: string, put: (value: unknown) => unknown, code: ErrorCode, param: string): Refused[] =>
    [...unstorable, ...notText].map(([kind, value]) => [`${what} of ${kind}`, put(value), code, param]);
  const refusedValues = (
    what: string,
    values: unknown[],
    put: (value: unknown) => unknown,
    code: ErrorCode,
    param: string,
  ): Refused[] => values.map((value) => [`${what} ${JSON.stringify(value)}`, put(value), code, param]);

  const top: Refused[] = [
    ['no title', without(aDraft, 'title'), 'invalid_title', 'title'],
    ['a null title', { ...aDraft, title: null }, 'invalid_title', 'title'],
    ['an empty title', { ...aDraft, title: '' }, 'invalid_title', 'title'],
    ['a title of 201 characters', { ...aDraft, title: ascii(201) }, 'invalid_title', 'title'],
    ['a title of 201 astral characters', { ...aDraft, title: astral(201) }, 'invalid_title', 'title'],
    ['a title of white space', { ...aDraft, title: ' \t\r\n' }, 'invalid_title', 'title'],
    [
      'a title of Unicode white space',
      { ...aDraft, title: '\u00a0\u2003\u3000\u0085\u2028' },
      'invalid_title',
      'title',
    ],
    ...refusedText('a title', (title) => ({ ...aDraft, title }), 'invalid_title', 'title'),
    ...refusedValues(
      'the type',
      ['Form', '', 'unknown', 'form ', 'constructor', 'form\u0000', 5, true, ['form'], {}],
      (type) => ({ ...aDraft, type }),
      'invalid_type',
      'type',
    ),
    ...refusedValues(
      'the language',
      ['EN', 'fr', '', 'en-US', 5, false, ['en'], {}],
      (primary_language) => ({ ...aDraft, primary_language }),
      'invalid_primary_language',
      'primary_language',
    ),
    ['no recipients', { title: 'x' }, 'invalid_recipients', 'recipients'],
    ['an empty array of recipients', { title: 'x', recipients: [] }, 'invalid_recipients', 'recipients'],
    [
      '21 recipients',
      { title: 'x', recipients: Array.from({ length: 21 }, () => aDraft.recipients[0]) },
      'invalid_recipients',
      'recipients',
    ],
    ...refusedValues(
      'recipients that are',
      [null, 'x', 5, true, {}, { 0: aDraft.recipients[0], length: 1 }],
      (recipients) => ({ title: 'x', recipients }),
      'invalid_recipients',
      'recipients',
    ),
  ];

  const nested: Refused[] = [
    ...refusedValues(
      'a recipient that is',
      [null, [], 'x', 5, true, [aDraft.recipients[0]]],
      (recipient) => ({ title: 'x', recipients: [aDraft.recipients[0], recipient] }),
      'invalid_body',
      'body',
    ),
    ...refusedValues('content that is', [null, [], [{}], 'x', 5, true, ''], withContent, 'invalid_body', 'body'),
  ];

  const name = 'recipients[0].name';
  const email = 'recipients[0].email';
  const phone = 'recipients[0].phone';
  const role = 'recipients[0].role';
  const authLevel = 'recipients[0].auth_level';
  const recipients: Refused[] = [
    ['a recipient without a name', { title: 'x', recipients: [{ email: 'a@b.co' }] }, 'invalid_recipient_name', name],
    ['an empty name', withRecipient({ name: '' }), 'invalid_recipient_name', name],
    ['a null name', withRecipient({ name: null }), 'invalid_recipient_name', name],
    ['a name of white space', withRecipient({ name: ' \t\u00a0\u2003' }), 'invalid_recipient_name', name],
    ['a name of 121 characters', withRecipient({ name: ascii(121) }), 'invalid_recipient_name', name],
    ['a name of 121 astral characters', withRecipient({ name: astral(121) }), 'invalid_recipient_name', name],
    ...refusedText('a name', (value) => withRecipient({ name: value }), 'invalid_recipient_name', name),

    ['an address of 255 characters', withRecipient({ email: addressOf(255) }), 'invalid_recipient_email', email],
    ...refusedText('an address', (value) => withRecipient({ email: value }), 'invalid_recipient_email', email),
    ...refusedValues(
      'the address',
      [
        '',
        ' ',
        'plain',
        '@example.com',
        'ada@',
        'ada@@example.com',
        'ada@x@example.com',
        'ada @example.com',
        'ada@exam ple.com',
        'ada@example.',
        'ada@.com',
        'ada@example..com',
        'ada@example.com.',
        'ada@-example.com',
        'ada@example-.com',
        'ada@example.com ',
        'ada@example.com\r\nBcc: all@example.com',
        'ada@example.com,bob@example.com',
        'Ada <ada@example.com>',
        '<ada@example.com>',
        'ada@example.com;bob@example.com',
      ],
      (value) => withRecipient({ email: value }),
      'invalid_recipient_email',
      email,
    ),
    [
      'a bad address although the channel is SMS',
      withRecipient({ channel: 'sms', phone: '1', email: 'x' }),
      'invalid_recipient_email',
      email,
    ],
    ['no address for e-mail', { title: 'x', recipients: [{ name: 'A' }] }, 'missing_recipient_email', email],
    ['a null address for e-mail', withRecipient({ email: null, channel: 'email' }), 'missing_recipient_email', email],

    ['a phone of 41 characters', withRecipient({ phone: ascii(41) }), 'invalid_recipient_phone', phone],
    ['a phone of 41 astral characters', withRecipient({ phone: astral(41) }), 'invalid_recipient_phone', phone],
    ...refusedText('a phone', (value) => withRecipient({ phone: value }), 'invalid_recipient_phone', phone),
    ['no phone for SMS', withRecipient({ channel: 'sms' }), 'missing_recipient_phone', phone],
    ['a null phone for SMS', withRecipient({ channel: 'sms', phone: null }), 'missing_recipient_phone', phone],
    ['an empty phone for SMS', withRecipient({ channel: 'sms', phone: '' }), 'missing_recipient_phone', phone],
    ['no phone for a code by SMS', withRecipient({ auth_level: 'l1_email_sms_otp' }), 'missing_recipient_phone', phone],

    ['a role of 61 characters', withRecipient({ role: ascii(61) }), 'invalid_recipient_role', role],
    ['a role of 61 astral characters', withRecipient({ role: astral(61) }), 'invalid_recipient_role', role],
    ...refusedText('a role', (value) => withRecipient({ role: value }), 'invalid_recipient_role', role),

    ...refusedValues(
      'the channel',
      ['fax', 'EMAIL', '', 'in-person', 5, true, ['email'], {}],
      (channel) => withRecipient({ channel }),
      'invalid_channel',
      'recipients[0].channel',
    ),
    ...refusedValues(
      'turn',
      [0, -1, 1.5, '1', '', true, [1], {}, 2_147_483_648, 1e300],
      (sign_order) => withRecipient({ sign_order }),
      'invalid_sign_order',
      'recipients[0].sign_order',
    ),
    ...refusedValues(
      'the level',
      ['l2', 'L0_EMAIL_LINK', '', 5, true, ['l0_email_link'], {}],
      (auth_level) => withRecipient({ auth_level }),
      'invalid_auth_level',
      authLevel,
    ),
    [
      'a code by SMS for a cc',
      withRecipient({ role: 'cc', phone: '1', auth_level: 'l1_email_sms_otp' }),
      'invalid_auth_level',
      authLevel,
    ],
    [
      'a code by SMS for an approver',
      withRecipient({ role: 'approver', phone: '1', auth_level: 'l1_email_sms_otp' }),
      'invalid_auth_level',
      authLevel,
    ],
  ];

  const contents: Refused[] = [
    [
      'a message of 2001 characters',
      withContent({ message: ascii(2001) }),
      'invalid_content_message',
      'content.message',
    ],
    [
      'a message of 2001 astral characters',
      withContent({ message: astral(2001) }),
      'invalid_content_message',
      'content.message',
    ],
    ...refusedText('a message', (message) => withContent({ message }), 'invalid_content_message', 'content.message'),
    ...refusedValues(
      'the order',
      ['Parallel', 'both', '', 5, true, ['parallel'], {}],
      (sign_order_mode) => withContent({ sign_order_mode }),
      'invalid_sign_order_mode',
      'content.sign_order_mode',
    ),
    ...refusedValues(
      'the days',
      [0, 366, -1, 1.5, '30', '', true, [30], {}, 1e300],
      (expires_in_days) => withContent({ expires_in_days }),
      'invalid_expires_in_days',
      'content.expires_in_days',
    ),
  ];

  test.for([...top, ...nested, ...recipients, ...contents])('%s', async ([, body, code, param]) => {
    expectRefusal(await create(body), code, param);
  });

  test('the param counts from the recipient at fault', async () => {
    const good = { name: 'Good', email: 'good@example.com' };
    const cases: Array<[object, ErrorCode, string]> = [
      [{ email: 'x@example.com' }, 'invalid_recipient_name', 'name'],
      [{ name: 'B', email: 'nowhere' }, 'invalid_recipient_email', 'email'],
      [{ name: 'B' }, 'missing_recipient_email', 'email'],
      [{ ...good, phone: 5 }, 'invalid_recipient_phone', 'phone'],
      [{ ...good, channel: 'sms' }, 'missing_recipient_phone', 'phone'],
      [{ ...good, role: ascii(61) }, 'invalid_recipient_role', 'role'],
      [{ ...good, channel: 'fax' }, 'invalid_channel', 'channel'],
      [{ ...good, sign_order: 0 }, 'invalid_sign_order', 'sign_order'],
      [{ ...good, auth_level: 'l9' }, 'invalid_auth_level', 'auth_level'],
      [{ ...good, role: 'cc', phone: '1', auth_level: 'l1_email_sms_otp' }, 'invalid_auth_level', 'auth_level'],
    ];
    for (const [bad, code, field] of cases) {
      const many = Array.from({ length: 20 }, () => good);
      expectRefusal(await create({ title: 'x', recipients: [good, good, bad] }), code, `recipients[2].${field}`);
      expectRefusal(
        await create({ title: 'x', recipients: many.with(19, bad as typeof good) }),
        code,
        `recipients[19].${field}`,
      );
    }
  });

  test('the first field at fault, in the order of the specification, is named', async () => {
    const recipient = { email: 'x', phone: 5, role: 5, channel: 5, sign_order: 0, auth_level: 5 };
    const bad: Record<string, unknown> = {
      type: 'x',
      primary_language: 'x',
      recipients: [recipient, 5],
      content: { message: 5, sign_order_mode: 5, expires_in_days: 0 },
    };
    const repairs: Array<[ErrorCode, string, () => void]> = [
      ['invalid_title', 'title', () => Object.assign(bad, { title: 'x' })],
      ['invalid_type', 'type', () => Object.assign(bad, { type: 'form' })],
      ['invalid_primary_language', 'primary_language', () => Object.assign(bad, { primary_language: 'en' })],
      ['invalid_recipient_name', name, () => Object.assign(recipient, { name: 'A' })],
      ['invalid_recipient_email', email, () => Object.assign(recipient, { email: 'a@b.co' })],
      ['invalid_recipient_phone', phone, () => Object.assign(recipient, { phone: '1' })],
      ['invalid_recipient_role', role, () => Object.assign(recipient, { role: 'x' })],
      ['invalid_channel', 'recipients[0].channel', () => Object.assign(recipient, { channel: 'email' })],
      ['invalid_sign_order', 'recipients[0].sign_order', () => Object.assign(recipient, { sign_order: 1 })],
      ['invalid_auth_level', authLevel, () => Object.assign(recipient, { auth_level: 'l0_email_link' })],
      ['invalid_body', 'body', () => Object.assign(bad, { recipients: [recipient] })],
      ['invalid_content_message', 'content.message', () => Object.assign(bad, { content: { expires_in_days: 0 } })],
      ['invalid_expires_in_days', 'content.expires_in_days', () => Object.assign(bad, { content: {} })],
    ];
    for (const [code, param, repair] of repairs) {
      expectRefusal(await create(bad), code, param);
      repair();
    }
    expect((await create(bad)).status).toBe(201);
  });

  test('a refused body leaves nothing behind', async () => {
    const last = [{ name: 'Good', email: 'good@example.com' }, { name: 'Bad' }];
    expectRefusal(await create({ title: 'x', recipients: last }), 'missing_recipient_email', 'recipients[1].email');
    expect(await rowsOf(company.id)).toEqual({ documents: 0, recipients: 0, audit: 0, events: 0, messages: 0 });
  });
});

test('a company that is removed while its request runs gets no document', async () => {
  let answer: Promise<Answer> | undefined;
  await app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'lock table documents in access exclusive mode', values: [] });
    answer = create(aDraft);
    await untilBlocked(app);
    await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  });
  expectRefusal((await answer) as Answer, 'account_unavailable');
  expect(await rowsOf(company.id)).toMatchObject({ documents: 0, recipients: 0, audit: 0 });
});

describe('the body as bytes:', () => {
  const json = JSON.stringify(aDraft);
  const bytes = (...parts: Array<string | number[]>) =>
    new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

  test.for<[string, string | Uint8Array<ArrayBuffer>]>([
    ['nothing', ''],
    ['white space', ' \r\n\t'],
    ['a brace', '{'],
    ['a truncated object', json.slice(0, -1)],
    ['two objects', json + json],
    ['a trailing comma', `${json.slice(0, -1)},}`],
    ['single quotes', `{'title':'x'}`],
    ['a comment', `// draft\n${json}`],
    ['NaN', '{"title":NaN}'],
    ['undefined', 'undefined'],
    ['a raw control character in a string', '{"title":"a\u0001b"}'],
    ['a form', 'title=Roof&recipients[0][name]=Ada'],
    ['a number with a leading zero', '{"x":012}'],
    ['a byte that is not UTF-8', bytes('{"title":"', [0xff], '"}')],
    ['a truncated UTF-8 sequence', bytes('{"title":"', [0xf0, 0x9f, 0x8f], '"}')],
    ['an overlong UTF-8 sequence', bytes('{"title":"', [0xc0, 0xaf], '"}')],
    ['a surrogate in UTF-8', bytes('{"title":"', [0xed, 0xa0, 0x80], '"}')],
    ['UTF-16', new Uint8Array(Buffer.from(json, 'utf16le'))],
    ['compressed bytes', bytes([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])],
    ['NUL bytes', bytes([0, 0, 0, 0])],
    ['a hundred thousand brackets', '['.repeat(100_000)],
    ['a million brackets', '['.repeat(1_000_000)],
  ])('%s is invalid_json', async ([, raw]) => {
    expectRefusal(await createRaw(raw), 'invalid_json');
  });

  test.for(['[]', 'null', '"x"', '""', '5', '0', 'true', 'false', `[${json}]`])('%s is invalid_body', async (raw) => {
    expectRefusal(await createRaw(raw), 'invalid_body', 'body');
  });

  test('it may nest as deep as it is long, inside content and outside, and be repeated', async () => {
    const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const inContent = (value: string) => `${json.slice(0, -1)},"content":{"message":"hello","ignored":${value}}}`;
    const atTop = (value: string) => `${json.slice(0, -1)},"ignored":${value}}`;
    const bodies = [
      inContent(arrays(101)),
      atTop(arrays(500_000)),
      inContent(objects(150_000)),
      inContent(arrays(500_000)),
    ];
    for (const [i, raw] of bodies.entries()) {
      const headers = { 'idempotency-key': `deep ${i}` };
      const created = await call(app, 'POST', '/documents', { key: company.key, raw, headers });
      expect(created.status, created.text).toBe(201);
      const again = await call(app, 'POST', '/documents', { key: company.key, raw, headers });
      expect(again.text).toBe(created.text);
    }
    expectRefusal(await createRaw(arrays(500_000)), 'invalid_body', 'body');
    const sent = await call(app, 'POST', '/documents/x/send', {
      key: company.key,
      raw: objects(150_000),
      headers: { 'idempotency-key': 'deep' },
    });
    expectRefusal(sent, 'document_not_found');
  });

  test('a byte order mark is not part of the JSON', async () => {
    expect((await createRaw(bytes([0xef, 0xbb, 0xbf], json))).status).toBe(201);
  });

  test('escapes and raw characters mean the same', async () => {
    const { body } = await createRaw(`{"title":"\\u00e9\\ud83c\\udfd7","recipients":[{"name":"A","email":"a@b.co"}]}`);
    expect(body.title).toBe('é🏗');
  });

  test('of two properties with one name the last counts', async () => {
    const { body } = await createRaw(`{"title":"first",${json.slice(1, -1)},"title":"last"}`);
    expect(body.title).toBe('last');
  });

  test('a number beyond any range is refused where it is read, and ignored where it is not', async () => {
    const withTurn = (turn: string) =>
      `{"title":"x","recipients":[{"name":"A","email":"a@b.co","sign_order":${turn}}]}`;
    for (const turn of ['1e400', '-1e400', '9'.repeat(400), '1e-400', '0.0000001']) {
      expectRefusal(await createRaw(withTurn(turn)), 'invalid_sign_order', 'recipients[0].sign_order');
    }
    expect((await createRaw(withTurn('1e0'))).status).toBe(201);
    expect((await createRaw(withTurn('2.0'))).status).toBe(201);
    expect((await createRaw(`${json.slice(0, -1)},"ignored":1e999999}`)).status).toBe(201);
  });

  test('a property called __proto__ is just an unknown property', async () => {
    const inherited = `{"__proto__":{"title":"x","recipients":[{"name":"A","email":"a@b.co"}]}}`;
    expectRefusal(await createRaw(inherited), 'invalid_title', 'title');
    const nested = `{"title":"x","recipients":[{"__proto__":{"name":"A"},"email":"a@b.co"}]}`;
    expectRefusal(await createRaw(nested), 'invalid_recipient_name', 'recipients[0].name');
    const harmless = `{"__proto__":5,"constructor":{"prototype":{}},${json.slice(1, -1)},"content":{"__proto__":{"message":5},"toString":1}}`;
    expect((await createRaw(harmless)).status).toBe(201);
  });

  test('the size is limited to MAX_BODY_BYTES, to the byte', async () => {
    const padded = (bytesTotal: number) => json + ' '.repeat(bytesTotal - json.length);
    expect((await createRaw(padded(1_048_576))).status).toBe(201);
    expectRefusal(await createRaw(padded(1_048_577)), 'request_too_large');
  });

  test('the size is limited also when it was not announced', async () => {
    const chunked = (bytesTotal: number) =>
      fetch(`${app.baseUrl}/documents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${company.key}` },
        body: new Blob([json, ' '.repeat(bytesTotal - json.length)]).stream(),
        duplex: 'half',
      } as RequestInit);
    expect((await chunked(1_048_576)).status).toBe(201);
    const refused = await chunked(1_048_577);
    const answer = { status: refused.status, headers: refused.headers, text: '', body: await refused.json() };
    expectRefusal(answer, 'request_too_large');
  });

  test.for([
    'application/json',
    'APPLICATION/JSON; charset=utf-8',
    'application/json; charset=utf-16',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'nonsense',
    '/',
    ';;;',
    'a/b/c; =',
    '*/*',
    ' ',
  ])('is read as JSON when Content-Type says "%s"', async (contentType) => {
    const answer = await createRaw(json, { 'content-type': contentType });
    expect(answer.status, answer.text).toBe(201);
    expectRefusal(await createRaw('x', { 'content-type': contentType }), 'invalid_json');
  });

  test('is read as JSON when no Content-Type is sent', async () => {
    const answer = await createRaw(bytes(json));
    expect(answer.status, answer.text).toBe(201);
  });
});
