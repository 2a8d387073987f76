import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Inbox, startInbox } from '../support/inbox.ts';
import { createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';
import { type SmsProvider, startSmsProvider } from './sms-provider.ts';

let app: TestService;
let inbox: Inbox;
let provider: SmsProvider;

beforeAll(async () => {
  inbox = await startInbox();
  provider = await startSmsProvider();
  app = await startTestService({ env: { SMTP_URL: inbox.url, MAIL_FROM: 'a@acme.example', SMS_URL: provider.url } });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([inbox.close(), provider.close()]);
});

test('e-mails do not wait for an SMS provider that hangs', async () => {
  const answered = Promise.withResolvers<void>();
  provider.hold = answered.promise;
  const [one, other] = [await createCompany(app), await createCompany(app)];
  const many = Array.from({ length: 20 }, (_, n) => ({ name: `Ada ${n}`, phone: `+3460000000${n}`, channel: 'sms' }));
  const id = await createSent(app, one.key, { recipients: many });
  // All that are sent at once.
  await eventually(
    async () => provider.texts.length,
    (texts) => texts === 16,
  );

  await createSent(app, other.key, { recipients: [{ name: 'Grace', email: 'grace@example.com' }] });
  await eventually(
    async () => inbox.received.length,
    (mails) => mails === 1,
  );
  const attempted = await app.db.query({
    name: '',
    text: 'select from messages where document_id = $1 and attempts > 0',
    values: [id],
  });
  expect(attempted).toEqual([]);

  answered.resolve();
  await eventually(
    () =>
      app.db.query({
        name: '',
        text: `select from messages where document_id = $1 and status = 'accepted'`,
        values: [id],
      }),
    (accepted) => accepted.length === many.length,
  );
});
