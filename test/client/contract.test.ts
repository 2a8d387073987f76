import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type ImportService, startImportService } from '../imports/import-service.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { type Company, createCompany, eventually } from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { type Sealed, sealedDocument } from '../verify/sealed.ts';
import type { ClientDriver, Operation } from './driver.ts';
import { drivers } from './drivers.ts';
import { startGateway } from './gateway.ts';

let app: ImportService;
let company: Company;
let sealed: Sealed;
let secret: string;
let delivered: Received;

beforeAll(async () => {
  app = await startImportService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  company = await createCompany(app);
  const receiver = await startReceiver();
  secret = (await createEndpoint(app, company.id, receiver.url, eventTypes)).secret;
  sealed = await sealedDocument(app, company);
  const isCompleted = ({ event }: Received) => event.event === 'document.completed';
  const received = await eventually(
    async () => receiver.received,
    (seen) => seen.some(isCompleted),
  );
  delivered = received.find(isCompleted) as Received;
  await receiver.stop();
});
afterAll(() => app.stop());

const aDraft = (title: string) => ({
  title,
  recipients: [
    { name: 'Ada Lovelace', email: 'ada@example.com' },
    { name: 'Carl', email: 'carl@example.com', role: 'cc' },
  ],
});

describe.each(drivers)('$name', (driver) => {
  afterAll(() => driver.stop());

  const outcomeOf = (operation: Operation, ...given: unknown[]) => clientOf(driver, company.key)(operation, ...given);

  async function resultOf(operation: Operation, ...given: unknown[]) {
    const { result, error } = await outcomeOf(operation, ...given);
    if (error !== undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
    return result;
  }

  test('reads the account', async () => {
    expect(await resultOf('account')).toMatchObject({ object: 'account', id: company.id, mode: 'live' });
  });

  test('creates a document, reads it and its recipients, and sends it', async () => {
    const draft = await resultOf('documents.create', aDraft('Lease — Ä 🖊'));
    expect(draft).toMatchObject({ object: 'document', status: 'draft', title: 'Lease — Ä 🖊', recipient_count: 2 });
    expect(await resultOf('documents.get', draft.id)).toEqual(draft);
    const recipients = await resultOf('documents.recipients', draft.id);
    expect(recipients.map((each: { display_name: string }) => each.display_name)).toEqual(['Ada Lovelace', 'Carl']);
    expect(await resultOf('documents.send', draft.id)).toMatchObject({ id: draft.id, status: 'sent' });
  });

  test('an idempotency key is forgotten after 24 hours, and then the same call writes again', async () => {
    const options = { idempotencyKey: `order 2 of ${driver.name}` };
    const create = async () => (await resultOf('documents.create', aDraft('Again'), options)).id;
    const age = (hours: number) =>
      app.db.query({
        name: '',
        text: `update idempotency_records set created_at = created_at - make_interval(hours => $2) where key = $1`,
        values: [options.idempotencyKey, hours],
      });
    const id = await create();
    await age(23);
    expect(await create()).toBe(id);
    await age(2);
    expect(await create()).not.toBe(id);
  });

  test('the same idempotency key writes once, and with another body it is refused', async () => {
    const options = { idempotencyKey: `order 1 of ${driver.name}` };
    const first = await resultOf('documents.create', aDraft('Once'), options);
    expect(await resultOf('documents.create', aDraft('Once'), options)).toEqual(first);
    const { error } = await outcomeOf('documents.create', aDraft('Twice'), options);
    expect(error).toMatchObject({ class: 'IdempotencyError', status: 409, code: 'idempotency_key_reused' });
  });

  test('a key of any letters is the same for all clients', async () => {
    const options = { idempotencyKey: `Bestellung-€ é 🖊 ${driver.name}` };
    const first = await resultOf('documents.create', aDraft('Once'), options);
    for (const other of drivers) {
      const { result } = await clientOf(other, company.key)('documents.create', aDraft('Once'), options);
      expect(result).toEqual(first);
    }
    const stored = {
      name: '',
      text: 'select from idempotency_records where key = $1',
      values: [options.idempotencyKey],
    };
    expect(await app.db.query(stored)).toHaveLength(1);
  });

  test('an import that a gateway cuts off is answered once it is done, after more requests than retries', async () => {
    const [hasBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const url = app.store.share(`held-${driver.name}.pdf`, async (response) => {
      hasBegun.resolve();
      await mayEnd.promise;
      response.end(aPdf());
    });
    const statuses: number[] = [];
    const gateway = await startGateway(app.service.origin, hasBegun.promise, (status) => {
      statuses.push(status);
      if (statuses.filter((each) => each === 409).length === 4) mayEnd.resolve();
    });
    onTestFinished(() => gateway.stop());
    const settings = { baseUrl: `${gateway.origin}/api/v1`, apiKey: company.key, retriesMax: 1, retryBaseMs: 10 };
    const body = { source: 'cloud_files', files: [{ url }], unlock_doc: false };
    const { result } = await driver.call(settings, 'imports.start', body);
    expect(result).toMatchObject({ object: 'import', filed: 1, failed: 0 });
    expect(statuses.slice(0, 5)).toEqual([504, 409, 409, 409, 409]);
    expect(await resultOf('imports.get', result.id)).toMatchObject({ status: 'finished', filed: 1 });
  });

  test('reads a list over its pages, forwards and back', async () => {
    const own = clientOf(driver, (await createCompany(app)).key);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await own('documents.create', aDraft(`No. ${i}`))).result.id);
    const idsOf = (documents: { id: string }[]) => documents.map(({ id }) => id);
    expect(idsOf((await own('documents.list', { limit: 2 })).result)).toEqual(ids);
    const first = (await own('documents.page', { limit: 2 })).result;
    expect([idsOf(first.data), first.has_more]).toEqual([ids.slice(0, 2), true]);
    const rest = (await own('documents.list', { limit: 2, startingAfter: first.next_cursor })).result;
    expect(idsOf(rest)).toEqual(ids.slice(2));
    const back = (await own('documents.list', { limit: 1, endingBefore: first.next_cursor })).result;
    expect(idsOf(back)).toEqual([ids[1]]);
    expect((await own('documents.list', { status: ['sent', 'voided'] })).result).toEqual([]);
    expect((await own('documents.list', { limit: 101 })).error).toMatchObject({
      code: 'invalid_limit',
      param: 'limit',
    });
  });

  test('gets the sealed PDF of a completed document', async () => {
    const download = await resultOf('documents.download', sealed.id);
    const sha256 = createHash('sha256').update(sealed.pdf).digest('hex');
    expect(download).toMatchObject({ bytes: sealed.pdf.length, sha256 });
    expect(await resultOf('documents.pdf', sealed.id)).toBe(sealed.pdf.length);
    const draft = await resultOf('documents.create', aDraft('Not yet'));
    const { error } = await outcomeOf('documents.pdf', draft.id);
    expect(error).toMatchObject({ class: 'ValidationError', code: 'document_not_completed', param: 'status' });
  });

  test('imports a file and reads what became of it', async () => {
    const files = [
      { url: app.store.share(`lease-${driver.name}.pdf`, aPdf()) },
      { url: app.store.share('x.txt', Buffer.from('x')) },
    ];
    const body = { source: 'cloud_files', files, unlock_doc: false };
    const started = await resultOf('imports.start', body);
    expect(started).toMatchObject({ object: 'import', source: 'cloud_files', filed: 1, failed: 1 });
    expect(started.items.map((item: { status: string }) => item.status)).toEqual(['filed', 'failed']);
    expect(await resultOf('imports.get', started.id)).toMatchObject({ id: started.id, status: 'finished' });
    expect(await resultOf('imports.items', started.id, { limit: 1 })).toEqual(started.items);
    const listed = await resultOf('imports.list', { status: 'finished' });
    expect(listed.map(({ id }: { id: string }) => id)).toContain(started.id);
  });

  test('a refusal says what is wrong, and where', async () => {
    const wrong = {
      title: 'Lease',
      recipients: [
        { name: 'Ada', email: 'ada@example.com' },
        { name: 'Bo', email: 'x' },
      ],
    };
    const { error } = await outcomeOf('documents.create', wrong);
    expect(error).toMatchObject({
      class: 'ValidationError',
      status: 400,
      type: 'validation_error',
      code: 'invalid_recipient_email',
      param: 'recipients[1].email',
      requestId: expect.stringMatching(/^req_/),
    });
    expect((await outcomeOf('documents.get', 'x')).error).toMatchObject({ class: 'NotFoundError', status: 404 });
    expect((await outcomeOf('imports.get', 'x')).error).toMatchObject({ code: 'import_not_found', param: null });
    const unknown = await clientOf(driver, 'svc_live_unknown')('account');
    expect(unknown.error).toMatchObject({ class: 'AuthenticationError', code: 'invalid_api_key' });
    const { key } = await company.keyWith(['documents:read']);
    const narrow = await clientOf(driver, key)('documents.create', aDraft('No'));
    expect(narrow.error).toMatchObject({ class: 'PermissionError', code: 'insufficient_scope', param: 'scopes' });
  });

  test('verifies a webhook as it was delivered', async () => {
    const header = delivered.headers['x-service-signature'];
    const given = { body: delivered.raw.toString(), header, secret, now: app.clock.now().getTime() / 1000 };
    const event = await resultOf('verifyWebhook', given);
    expect(event).toEqual(delivered.event);
    expect(event.data.document).toEqual(await resultOf('documents.get', sealed.id));
    const forged = await outcomeOf('verifyWebhook', { ...given, body: `${given.body} ` });
    expect(forged.error?.class).toBe('WebhookSignatureError');
  });
});

function clientOf(driver: ClientDriver, apiKey: string) {
  const settings = { baseUrl: app.baseUrl, apiKey };
  return (operation: Operation, ...given: unknown[]) => driver.call(settings, operation, ...given);
}
