import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import type { Document } from '../../src/documents/document.ts';
import { mirrorDocument, submitForReview } from '../../src/documents/document-actions.ts';
import { findDocument } from '../../src/documents/queries.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { operate } from './operate.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

const send = (id: string, key = company.key, raw?: string) =>
  call(app, 'POST', `/documents/${id}/send`, { key, ...(raw === undefined ? {} : { raw }) });
const read = (id: string) => call(app, 'GET', `/documents/${id}`, { key: company.key });

async function recipientsOf(id: string) {
  return (await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key })).body.data;
}

const rows = <Row>(text: string, id: string) => app.db.query<Row>({ name: '', text, values: [id] });

const eventsOf = (id: string) =>
  rows<{ type: string; body: string }>('select type, body from events where document_id = $1 order by id', id);

const messagesOf = (id: string) =>
  rows<{ name: string; channel: string; kind: string; status: string }>(
    `select r.display_name as name, m.channel, m.kind, m.status from messages m join recipients r on r.id = m.recipient_id
     where m.document_id = $1 order by r.sign_order, r.position`,
    id,
  );

const person = (name: string, changes: object = {}) => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  ...changes,
});

describe('sending', () => {
  test('answers the document as sent, and it stays so', async () => {
    const id = await createDraft(app, company.key);
    app.clock.advance({ seconds: 30 });
    const { status, body, text } = await send(id);
    const now = app.clock.now().toISOString();
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      object: 'document',
      id,
      type: 'form',
      status: 'sent',
      title: 'Roof repair',
      description: null,
      primary_language: 'en',
      secondary_language: null,
      recipient_count: 1,
      sent_at: now,
      completed_at: null,
      voided_at: null,
      voided_reason: null,
      expires_at: null,
      created_at: new Date(app.clock.now().getTime() - 30_000).toISOString(),
      updated_at: now,
    });
    expect((await read(id)).text).toBe(text);
  });

  test('a document in internal review goes out as a draft does', async () => {
    const id = await createDraft(app, company.key);
    await operate(app, id, (tx, document) => submitForReview(app.world, tx, document, 'operator'));
    expect((await read(id)).body.status).toBe('in_review');
    expect((await send(id)).body.status).toBe('sent');
  });

  test.for(['', '{}', '{"sign_order_mode":"x","status":5}', '[]', 'null', '"x"', ' {} '])(
    'reads no property of the body %j',
    async (raw) => {
      const { status, body } = await send(await createDraft(app, company.key), company.key, raw);
      expect({ status, is: body.status }).toEqual({ status: 200, is: 'sent' });
    },
  );

  test('records one event that carries the answer', async () => {
    const id = await createDraft(app, company.key);
    expect(await eventsOf(id)).toEqual([]);
    const { body } = await send(id);
    const events = await eventsOf(id);
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]?.body as string)).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'document.sent',
      created_at: app.clock.now().toISOString(),
      data: { document: body },
    });
  });

  test('is in an audit trail whose chain holds', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [person('Ada'), person('Bob', { role: 'cc' }), person('Cy', { channel: 'in_person' })],
    });
    await send(id, company.testKey);
    const trail = await readAudit(app.db, company.id, id);
    expect(trail.map(({ action }) => action)).toEqual(['created', 'sent', 'requested', 'requested']);
    expect(trail[1]).toMatchObject({ actor: expect.stringMatching(/^api_key:/), detail: { mode: 'test' } });
    expect(trail.slice(2).map(({ detail }) => detail)).toMatchObject([
      { name: 'Ada', channel: 'email' },
      { name: 'Cy', channel: 'in_person' },
    ]);
    expect(firstBreak(id, trail)).toBeNull();
  });

  test('sets expires_at from then on, to the day', async () => {
    const never = await createDraft(app, company.key);
    const soon = await createDraft(app, company.key, { content: { expires_in_days: 1 } });
    const late = await createDraft(app, company.key, { content: { expires_in_days: 365 } });
    app.clock.advance({ hours: 5 });
    const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
    expect((await read(soon)).body.expires_at).toBeNull();
    expect((await send(never)).body.expires_at).toBeNull();
    expect((await send(soon)).body.expires_at).toBe(inDays(1));
    expect((await send(late)).body.expires_at).toBe(inDays(365));
  });
});

describe('who is asked', () => {
  const statuses = async (id: string) =>
    (await recipientsOf(id)).map((recipient: { display_name: string; status: string; sent_at: string | null }) => [
      recipient.display_name,
      recipient.status,
      recipient.sent_at,
    ]);

  test('in parallel: every signer at once, a cc not yet', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [
        person('Ada'),
        person('Bob', { role: 'cc' }),
        person('Cy', { sign_order: 9 }),
        person('Di', { role: 'Owner' }),
      ],
    });
    await send(id);
    const now = app.clock.now().toISOString();
    expect(await statuses(id)).toEqual([
      ['Ada', 'sent', now],
      ['Bob', 'pending', null],
      ['Di', 'sent', now],
      ['Cy', 'sent', now],
    ]);
  });

  test('in sequence: the lowest number, all who share it, past a cc', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [
        person('Late', { sign_order: 8 }),
        person('Copy', { sign_order: 1, role: 'cc' }),
        person('One', { sign_order: 5 }),
        person('Two', { sign_order: 5, role: 'approver' }),
      ],
      content: { sign_order_mode: 'sequential' },
    });
    await send(id);
    const now = app.clock.now().toISOString();
    expect(await statuses(id)).toEqual([
      ['Copy', 'pending', null],
      ['One', 'sent', now],
      ['Two', 'sent', now],
      ['Late', 'pending', null],
    ]);
  });

  test('an approver alone is enough to sign for', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [person('Ann', { role: 'approver' })],
      content: { sign_order_mode: 'sequential' },
    });
    expect((await send(id)).body.status).toBe('sent');
  });
});

describe('what leaves', () => {
  const everyChannel = {
    recipients: [
      person('Ada'),
      person('Sam', { channel: 'sms', phone: '+15550100' }),
      person('Ivy', { channel: 'in_person' }),
      person('Cc', { role: 'cc' }),
    ],
  };

  test('with a live key: one message a signer, over its channel, accepted once', async () => {
    const id = await createSent(app, company.key, everyChannel);
    const messages = await eventually(
      () => messagesOf(id),
      (found) => found.every(({ status }) => status !== 'pending'),
    );
    expect(messages).toEqual([
      { name: 'Ada', channel: 'email', kind: 'signature_request', status: 'accepted' },
      { name: 'Sam', channel: 'sms', kind: 'signature_request', status: 'accepted' },
    ]);
  });

  test('with a test key: the status moves all the same, and nothing leaves', async () => {
    const id = await createDraft(app, company.key, everyChannel);
    const { body } = await send(id, company.testKey);
    expect(body.status).toBe('sent');
    expect((await recipientsOf(id)).map((recipient: { status: string }) => recipient.status)).toEqual([
      'sent',
      'sent',
      'sent',
      'pending',
    ]);
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await messagesOf(id)).toEqual([]);
  });

  test('the key that sends decides, not the one that created', async () => {
    const id = await createDraft(app, company.testKey);
    await send(id, company.key);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test('a refused sending leaves nothing, records nothing and changes nothing', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [person('Ada'), person('Ann', { role: 'approver' })],
    });
    const before = await read(id);
    app.clock.advance({ seconds: 5 });
    expectRefusal(await send(id), 'approver_requires_sequential', 'sign_order_mode');
    expect((await read(id)).text).toBe(before.text);
    expect(await eventsOf(id)).toEqual([]);
    expect(await messagesOf(id)).toEqual([]);
    expect((await readAudit(app.db, company.id, id)).map(({ action }) => action)).toEqual(['created']);
  });
});

describe('refused with', () => {
  test('document_not_sendable when it was sent already', async () => {
    const id = await createSent(app, company.key);
    const before = await read(id);
    expectRefusal(await send(id), 'document_not_sendable', 'status');
    expect((await read(id)).text).toBe(before.text);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test.for(['sent', 'partially_signed', 'completed', 'declined', 'expired', 'voided'])(
    'document_not_sendable when its status is %s',
    async (status) => {
      const id = await createSent(app, company.key);
      if (status === 'voided') {
        await operate(app, id, (tx, document, queue) =>
          voidDocument(app.world, tx, queue, document, 'operator', 'Wrong price'),
        );
      } else {
        await app.db.query({
          name: '',
          text: 'update documents set status = $2, completed_at = $3 where id = $1',
          values: [id, status, status === 'completed' ? app.clock.now() : null],
        });
      }
      expectRefusal(await send(id), 'document_not_sendable', 'status');
    },
  );

  test('document_not_sendable when a draft was voided', async () => {
    const id = await createDraft(app, company.key);
    await operate(app, id, (tx, document, queue) =>
      voidDocument(app.world, tx, queue, document, 'operator', 'Not needed'),
    );
    expectRefusal(await send(id), 'document_not_sendable', 'status');
  });

  test('no_recipients when it has none', async () => {
    const id = await createDraft(app, company.key);
    await rows('delete from recipients where document_id = $1', id);
    expectRefusal(await send(id), 'no_recipients', 'recipients');
  });

  test('no_signers when every recipient is copy-only', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [person('Ada', { role: 'cc' }), person('Bob', { role: 'cc', channel: 'in_person' })],
    });
    expectRefusal(await send(id), 'no_signers', 'recipients');
  });

  test.for<[string, object, string]>([
    ['an address for e-mail', {}, 'email = null'],
    ['a phone for SMS', { channel: 'sms', phone: '+15550100' }, 'phone = null'],
    ['a phone for a code by SMS', { auth_level: 'l1_email_sms_otp', phone: '+15550100' }, 'phone = null'],
    ['an address for the copy', { role: 'cc' }, 'email = null'],
  ])('recipient_contact_required when a recipient lacks %s', async ([, changes, loss]) => {
    const id = await createDraft(app, company.key, { recipients: [person('Ada'), person('Bob', changes)] });
    await rows(`update recipients set ${loss} where document_id = $1 and display_name = 'Bob'`, id);
    expectRefusal(await send(id), 'recipient_contact_required', 'recipients');
    expect((await read(id)).body.status).toBe('draft');
  });

  test('approver_requires_sequential when an approver would be asked with everybody else', async () => {
    const recipients = [person('Ada'), person('Ann', { role: 'approver' })];
    const unsaid = await createDraft(app, company.key, { recipients });
    expectRefusal(await send(unsaid), 'approver_requires_sequential', 'sign_order_mode');
    const parallel = await createDraft(app, company.key, { recipients, content: { sign_order_mode: 'parallel' } });
    expectRefusal(await send(parallel), 'approver_requires_sequential', 'sign_order_mode');
    const sequential = await createDraft(app, company.key, { recipients, content: { sign_order_mode: 'sequential' } });
    expect((await send(sequential)).status).toBe(200);
  });

  test('pay_app_unsigned until the document that it mirrors is completed, and why that never happens', async () => {
    const [original, mirror] = [await createDraft(app, company.key), await createDraft(app, company.key)];
    const other = (await findDocument(app.db, original)) as Document;
    await operate(app, mirror, (tx, document) => mirrorDocument(app.world, tx, document, 'operator', other));
    expectRefusal(await send(mirror), 'pay_app_unsigned');
    await send(original);
    expectRefusal(await send(mirror), 'pay_app_unsigned');
    for (const status of ['partially_signed', 'declined', 'expired']) {
      await app.db.query({
        name: '',
        text: 'update documents set status = $2 where id = $1',
        values: [original, status],
      });
      const refused = await send(mirror);
      expectRefusal(refused, 'pay_app_unsigned');
      const canStillBe = status === 'partially_signed';
      expect(refused.body.error.message).toContain(canStillBe ? 'still blank' : `mirrors another that is ${status}`);
    }
    await app.db.query({
      name: '',
      text: `update documents set status = 'completed', completed_at = $2 where id = $1`,
      values: [original, app.clock.now()],
    });
    expect((await send(mirror)).body.status).toBe('sent');
  });

  test('the first of the rules, in the order of the specification, when several are broken', async () => {
    const ann = person('Ann', { role: 'approver' });
    const id = await createDraft(app, company.key, { recipients: [ann] });
    await rows('update recipients set email = null where document_id = $1', id);
    expectRefusal(await send(id), 'recipient_contact_required', 'recipients');
    await rows(`update recipients set party_role = 'cc' where document_id = $1`, id);
    expectRefusal(await send(id), 'no_signers', 'recipients');
    await rows('delete from recipients where document_id = $1', id);
    expectRefusal(await send(id), 'no_recipients', 'recipients');
    await operate(app, id, (tx, document, queue) =>
      voidDocument(app.world, tx, queue, document, 'operator', 'Not needed'),
    );
    expectRefusal(await send(id), 'document_not_sendable', 'status');
  });

  test.for(['{', 'x', '{"a":1', '{}{}', "{'a':1}", ' '])('invalid_json for the body %j', async (raw) => {
    const id = await createDraft(app, company.key);
    expectRefusal(await send(id, company.key, raw), 'invalid_json');
    expect((await read(id)).body.status).toBe('draft');
  });

  test('request_too_large for a body beyond the limit', async () => {
    const id = await createDraft(app, company.key);
    expectRefusal(await send(id, company.key, ' '.repeat(1_048_577)), 'request_too_large');
    expect((await send(id, company.key, `{}${' '.repeat(1_048_574)}`)).status).toBe(200);
  });
});
