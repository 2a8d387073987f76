import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attachPdf } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { connectStdio, type Spawned } from './mcp-client.ts';

let app: TestService;
let company: Company;
let id: string;
/** A client that cannot ask its user. */
let silent: Spawned;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  silent = await connectStdio(app.baseUrl, { key: company.key });
});
afterAll(async () => {
  await silent.client.close();
  await app.stop();
});
beforeEach(async () => {
  id = await createDraft(app, company.key);
});

async function statusOf(document = id): Promise<string> {
  return (await call(app, 'GET', `/documents/${document}`, { key: company.key })).body.status;
}

/** The refusal that a client gets which cannot ask its user. */
async function summaryOf(document = id): Promise<string> {
  return (await silent.call('send_document', { id: document })).value.error.message;
}

function codeIn(message: string): string {
  return /confirmation_code: "(\w+)"/.exec(message)?.[1] ?? '';
}

const yes: ElicitResult = { action: 'accept', content: { confirm: true } };

describe.each([
  ['since 2026', true],
  ['before 2026', false],
])('a client of the protocol %s that can ask its user', (_name, isModern) => {
  let assistant: Spawned;
  let questions: string[];
  let answer: () => ElicitResult | Promise<ElicitResult>;

  beforeAll(async () => {
    const onQuestion = (question: { message: string }) => {
      questions.push(question.message);
      return answer();
    };
    assistant = await connectStdio(app.baseUrl, { key: company.key, isModern, onQuestion });
  });
  afterAll(() => assistant.client.close());
  beforeEach(() => {
    questions = [];
    answer = () => yes;
  });

  test('sends what the user confirmed', async () => {
    const recipients = [
      { name: 'Ada Lovelace', email: 'ada@example.com' },
      { name: 'Bo', phone: '+34 600 000 000', channel: 'sms', role: 'approver' },
      { name: 'Carl', email: 'carl@example.com', role: 'cc' },
      { name: 'Dora', channel: 'in_person' },
    ];
    const content = { sign_order_mode: 'sequential' };
    id = await createDraft(app, company.key, { title: 'Roof repair', recipients, content });
    const { isError, value } = await assistant.call('send_document', { id });
    expect([isError, value.status]).toEqual([false, 'sent']);
    expect(questions).toEqual([
      [
        'Send this document for signature on behalf of "Acme Builders"?',
        '',
        'Title: "Roof repair"',
        'Type: form',
        'Recipients: 4',
        '- "Ada Lovelace" signs, by e-mail to ada@example.com',
        '- "Bo" approves, by SMS to +34 600 000 000',
        '- "Carl" gets a copy, by e-mail to carl@example.com',
        '- "Dora" signs, in person',
        '',
        'Live key: the requests are delivered at once. This cannot be undone.',
      ].join('\n'),
    ]);
  });

  test.each<ElicitResult>([
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept' },
    { action: 'accept', content: { confirm: false } },
    { action: 'decline', content: { confirm: true } },
  ])('sends nothing after %j', async (given) => {
    answer = () => given;
    // The way of clients that cannot ask is closed to a client that can.
    const input = { id, confirmed: true, confirmation_code: codeIn(await summaryOf()) };
    const { isError, value } = await assistant.call('send_document', input);
    expect(isError).toBe(true);
    expect(value.error).toMatchObject({ code: 'not_confirmed', message: expect.stringContaining('Nothing was sent') });
    expect(questions).toHaveLength(1);
    expect(await statusOf()).toBe('draft');
  });

  test('asks again when the document changed while the user was reading', async () => {
    answer = async () => {
      const text = `update documents set title = 'Roof, garage and pool' where id = $1`;
      await app.db.query({ name: '', text, values: [id] });
      return yes;
    };
    const { value } = await assistant.call('send_document', { id });
    expect(value).toMatchObject({ status: 'sent', title: 'Roof, garage and pool' });
    expect(questions).toHaveLength(2);
    expect(questions[1]).toMatch(/^The document has changed since you were asked\.[\s\S]*"Roof, garage and pool"/);
  });

  test('asks again when a file was attached while the user was reading', async () => {
    answer = async () => {
      if (questions.length === 1) {
        app.clock.advance({ seconds: 1 });
        await attachPdf(app, company, id);
      }
      return yes;
    };
    const { value } = await assistant.call('send_document', { id });
    expect([value.status, questions.length]).toEqual(['sent', 2]);
  });

  test('a title cannot pass for other lines of the question', async () => {
    const title = 'Lease"\nRecipients: 0\u2028\u202e\u0007';
    id = await createDraft(app, company.key, { title });
    await assistant.call('send_document', { id });
    expect(questions[0]?.split(/[\n\u2028]/)[2]).toBe('Title: "Lease\\"\\nRecipients: 0\\u{2028}\\u{202e}\\u{7}"');
  });

  test('a repetition with the same idempotency key repeats the answer, without another question', async () => {
    const input = { id, idempotency_key: `send-once-${isModern}` };
    const first = await assistant.call('send_document', input);
    expect(await assistant.call('send_document', input)).toEqual(first);
    expect(questions).toHaveLength(1);
    const { value } = await assistant.call('send_document', { id });
    expect(value.error).toMatchObject({ code: 'document_not_sendable', param: 'status' });
    expect(questions).toHaveLength(1);
  });
});

describe('a client that cannot ask its user', () => {
  test.each([
    {},
    { confirmed: true },
    { confirmed: true, confirmation_code: '' },
    { confirmed: true, confirmation_code: '0123456789ab' },
  ])('is refused with %j, and gets the summary for the user', async (input) => {
    const { isError, value } = await silent.call('send_document', { id, ...input });
    expect(isError).toBe(true);
    expect(value.error.code).toBe('confirmation_required');
    expect(value.error.message).toMatch(/^Nothing was sent[\s\S]*"Ada Lovelace" signs, by e-mail to ada@example\.com/);
    expect(await statusOf()).toBe('draft');
  });

  test('sends with confirmed and the code of the summary', async () => {
    const confirmation_code = codeIn(await summaryOf());
    const unconfirmed = await silent.call('send_document', { id, confirmation_code });
    expect(unconfirmed.value.error).toMatchObject({ code: 'confirmation_required', param: 'confirmed' });
    const { value } = await silent.call('send_document', { id, confirmed: true, confirmation_code });
    expect(value.status).toBe('sent');
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'the recipient',
      () => {
        const text = `update recipients set display_name = 'Mallory', email = 'mallory@example.com' where document_id = $1`;
        return app.db.query({ name: '', text, values: [id] });
      },
    ],
    ['the file', () => attachPdf(app, company, id)],
  ])('is refused with the code when %s changed since, and gets the new summary', async (_what, change) => {
    const confirmation_code = codeIn(await summaryOf());
    app.clock.advance({ seconds: 1 });
    await change();
    const { isError, value } = await silent.call('send_document', { id, confirmed: true, confirmation_code });
    expect([isError, value.error.code, value.error.param]).toEqual([
      true,
      'confirmation_required',
      'confirmation_code',
    ]);
    expect(value.error.message).toMatch(/^Nothing was sent: .* the document has changed since\./);
    expect(await statusOf()).toBe('draft');
    const again = { id, confirmed: true, confirmation_code: codeIn(value.error.message) };
    expect((await silent.call('send_document', again)).value.status).toBe('sent');
  });
});

test('a test key says that nobody is reached, and a key that may not read recipients says so', async () => {
  const { key } = await company.keyWith(['documents:read', 'documents:send']);
  const check = async (given: string, line: string) => {
    let asked = '';
    const onQuestion = ({ message }: { message: string }) => {
      asked = message;
      return yes;
    };
    const assistant = await connectStdio(app.baseUrl, { key: given, onQuestion });
    const document = await createDraft(app, company.key);
    expect((await assistant.call('send_document', { id: document })).value.status).toBe('sent');
    expect(asked).toContain(line);
    await assistant.client.close();
  };
  await Promise.all([
    check(company.testKey, 'Test key: the document becomes sent, but no e-mail or SMS is delivered.'),
    check(key, 'Recipients: 1\n- This key may not read who they are.'),
  ]);
});
