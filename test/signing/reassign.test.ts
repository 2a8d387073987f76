import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import { remindRecipients } from '../../src/documents/remind-recipients.ts';
import { type RunningQueue, startQueue } from '../../src/jobs/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { operate } from '../api/operate.ts';
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
import { postPdf } from '../verify/sealed.ts';
import { auditOf, openLinkOf, signature, signerOf } from './signer.ts';

let app: TestService;
let company: Company;
let queue: RunningQueue;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const alan = { name: 'Alan Turing', email: 'alan@example.com' };

beforeAll(async () => {
  app = await startTestService({ env: { REMINDER_DAYS: 'none' } });
  company = await createCompany(app);
  queue = await startQueue(app.databaseUrl, createLog('silent'), false);
});
afterAll(async () => {
  await queue.stop();
  await app.stop();
});

interface Person {
  name: string;
  email?: string;
  phone?: string;
}

async function recipientsOf(id: string) {
  return (await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key })).body.data;
}

async function reassign(id: string, place: string, person: Person): Promise<void> {
  const found = (await recipientsOf(id)).find(({ display_name }: { display_name: string }) => display_name === place);
  await operate(app, id, (tx, document) =>
    reassignRecipient(app.world, tx, queue, document, found?.id ?? app.world.newId(), person, 'operator'),
  );
}

/** Waits until the time of each accepted message is recorded, which is soon after it is in the mailbox. */
function settled(id: string): Promise<unknown> {
  const text = `select from messages where document_id = $1 and status = 'pending'`;
  return eventually(
    () => app.db.query({ name: '', text, values: [id] }),
    (pending) => pending.length === 0,
  );
}

/** Waits for `count` messages with a link to an address about a document. Returns their links, newest first. */
async function linksTo(address: string, title: string, count: number): Promise<string[]> {
  const messages = await eventually(
    async () =>
      (await listMailbox(join(app.dataDir, 'mailbox'), { to: address })).filter(
        ({ subject, links }) => subject?.includes(title) && links.some((link) => link.includes('/sign/')),
      ),
    (found) => found.length === count,
  );
  return messages.map(({ links }) => links.find((link) => link.includes('/sign/')) as string);
}

test('somebody else is asked, signs, and gets the copy; the first link leads nowhere', async () => {
  const title = 'Lease of the attic';
  const id = await createSent(app, company.key, { title, recipients: [ada, grace] });
  const [formerLink] = (await linksTo(ada.email, title, 1)) as [string];
  expect((await fetch(`${formerLink}/viewed`, { method: 'POST' })).status).toBe(200);
  app.clock.advance({ minutes: 5 });

  await reassign(id, ada.name, alan);
  expect((await recipientsOf(id))[0]).toMatchObject({
    display_name: alan.name,
    email: alan.email,
    status: 'sent',
    sent_at: app.clock.now().toISOString(),
    viewed_at: null,
  });
  const [link] = (await linksTo(alan.email, title, 1)) as [string];
  const former = await fetch(formerLink);
  const told = await former.text();
  expect([former.status, told.includes('This link no longer works')]).toEqual([404, true]);
  expect(told).toContain('Someone else has been asked to sign the document from <bdi class="name">Acme Builders</bdi>');
  for (const hidden of [title, alan.name, alan.email, ada.name]) expect(told).not.toContain(hidden);
  expect((await fetch(`${formerLink}/sign`, { method: 'POST', body: JSON.stringify(signature) })).status).toBe(404);
  expect((await fetch(`${link}/sign`, { method: 'POST', body: JSON.stringify(signature) })).status).toBe(200);
  expect((await (await openLinkOf(app, company, id, grace.name)).post('sign', signature)).status).toBe(200);

  const [row] = await eventually(
    () =>
      app.db.query<{ file: string | null }>({
        name: '',
        text: 'select sealed_file as file from documents where id = $1',
        values: [id],
      }),
    (rows) => typeof rows[0]?.file === 'string',
  );
  const { body, against } = await postPdf(app, await readFile(join(app.dataDir, 'files', row?.file as string)));
  expect([body.verdict, against]).toEqual(['valid', []]);
  expect(body.parties).toMatchObject([{ name: alan.name }, { name: grace.name }]);
  expect(await linksTo(alan.email, title, 2)).toHaveLength(2);
  expect(await linksTo(ada.email, title, 1)).toHaveLength(1);
  const entry = (await auditOf(app, company, id)).find(({ action }) => action === 'reassigned');
  expect(entry).toMatchObject({
    actor: 'operator',
    detail: { name: alan.name, from: ada.name, content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});

test('a place whose turn has not come is asked when it comes', async () => {
  const title = 'In turn';
  const id = await createSent(app, company.key, {
    title,
    recipients: [ada, grace],
    content: { sign_order_mode: 'sequential' },
  });
  await reassign(id, grace.name, alan);
  expect((await recipientsOf(id))[1]).toMatchObject({ display_name: alan.name, status: 'pending', sent_at: null });
  await (await openLinkOf(app, company, id, ada.name)).post('sign', signature);
  expect(await linksTo(alan.email, title, 1)).toHaveLength(1);
});

test('a code and a verified browser of the one before open nothing', async () => {
  const { id, signer } = await signerOf(app, company);
  await signer.verify(await signer.sendCode());
  const pendingCode = await signer.elsewhere().sendCode();
  await reassign(id, ada.name, { name: alan.name, email: alan.email, phone: '+1 555 0100' });

  const next = await openLinkOf(app, company, id, alan.name);
  for (const [name, value] of signer.cookies) next.cookies.set(name, value);
  expect((await next.post('sign', signature)).body.error.code).toBe('verification_required');
  expect((await next.verify(pendingCode)).body.error.code).toBe('invalid_code');
  expect((await next.verify(await next.sendCode())).status).toBe(200);
  expect((await next.post('sign', signature)).status).toBe(200);
});

test('reminders begin anew with the new holder, and a place may pass on again and again', async () => {
  const title = 'Passed on';
  const id = await createSent(app, company.key, { title, recipients: [ada] });
  await linksTo(ada.email, title, 1);
  app.clock.advance({ days: 2 });
  await reassign(id, ada.name, grace);
  await linksTo(grace.email, title, 1);
  await settled(id);
  app.clock.advance({ days: 2 });
  await remindRecipients(app.world, app.db, queue, [3, 7]);
  expect(await linksTo(grace.email, title, 1)).toHaveLength(1);
  app.clock.advance({ days: 1, seconds: 1 });
  await remindRecipients(app.world, app.db, queue, [3, 7]);
  await linksTo(grace.email, title, 2);
  await reassign(id, grace.name, ada);
  await linksTo(ada.email, title, 2);
});

test('one wins where the place is reassigned and signed at once', async () => {
  const id = await createSent(app, company.key, { recipients: [ada, grace] });
  const signer = await openLinkOf(app, company, id, ada.name);
  const [signed, reassigned] = await Promise.allSettled([signer.post('sign', signature), reassign(id, ada.name, alan)]);
  const [place] = await recipientsOf(id);
  const hasSigned = signed.status === 'fulfilled' && signed.value.status === 200;
  expect(hasSigned).toBe(reassigned.status === 'rejected');
  expect(place).toMatchObject(
    hasSigned ? { display_name: ada.name, status: 'signed' } : { display_name: alan.name, status: 'sent' },
  );
});

test('someone whose name was corrected is not told that someone else is asked, however their number is written', async () => {
  const recipients = [{ name: 'Ada Lovlace', phone: '+12025550199', channel: 'sms' }];
  const id = await createSent(app, company.key, { recipients });
  await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox'), { to: '+12025550199' }),
    (messages) => messages.length > 0,
  );
  await reassign(id, 'Ada Lovlace', { name: ada.name, phone: '+1 (202) 555-0199' });
  const notices = await app.db.query({
    name: '',
    text: `select kind from notices where document_id = $1 and kind = 'recipient_reassigned'`,
    values: [id],
  });
  expect(notices).toEqual([]);
  await expect(reassign(id, ada.name, { name: ada.name, phone: '001 202 555 0199' })).rejects.toThrow(
    'already the recipient',
  );
});

test('what cannot be reassigned is refused with its reason, and changes nothing', async () => {
  const id = await createSent(app, company.key, {
    recipients: [ada, { ...grace, channel: 'sms', phone: '+1 555 0199' }],
  });
  const draft = await createDraft(app, company.key, { recipients: [ada] });
  const before = await recipientsOf(id);
  await expect(reassign(draft, ada.name, alan)).rejects.toThrow(/awaits signatures.*draft/);
  await expect(reassign(id, 'Nobody', alan)).rejects.toThrow(/no recipient/);
  await expect(reassign(id, ada.name, ada)).rejects.toThrow(/already the recipient/);
  await expect(reassign(id, ada.name, { name: 'Alan Turing' })).rejects.toThrow(/e-mail address/);
  await expect(reassign(id, grace.name, alan)).rejects.toThrow(/phone number/);
  await expect(reassign(id, ada.name, { name: ' ', email: alan.email })).rejects.toThrow(/name/);
  await expect(reassign(id, ada.name, { name: 'Alan', email: 'alan@' })).rejects.toThrow(/email/);
  expect(await recipientsOf(id)).toEqual(before);

  await (await openLinkOf(app, company, id, ada.name)).post('sign', signature);
  await expect(reassign(id, ada.name, alan)).rejects.toThrow(/already signed/);
});

test('the former link of a document in Spanish says in Spanish whom to ask, and an unknown link names nobody', async () => {
  const title = 'Contrato de obra';
  const id = await createSent(app, company.key, { title, primary_language: 'es', recipients: [ada, grace] });
  const [formerLink] = (await linksTo(ada.email, title, 1)) as [string];
  await reassign(id, ada.name, alan);
  const told = await (await fetch(formerLink, { headers: { 'accept-language': 'en' } })).text();
  expect(told).toContain('<html lang="es"');
  expect(told).toContain('contacte con <bdi class="name">Acme Builders</bdi>');

  const unknown = await fetch(formerLink.replace(/[^/]+$/, 'x'.repeat(43)));
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).not.toContain('Acme');
});

test('someone who declined is told whom to ask', async () => {
  const { signer } = await signerOf(app, company, { recipients: [ada] });
  await signer.post('decline', { reason: 'Too early' });
  expect((await signer.page()).text).toContain(
    'If you declined by mistake, contact <bdi class="name">Acme Builders</bdi>',
  );
});
