import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { drawPages, lines } from '../../src/unlock/convert/testing/draw-pages.ts';
import { attachPdf } from '../support/attach.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Unlocking from the console: its price is confirmed and paid once. */
let app: TestService;
let company: Company;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  await withoutMonthly();
  member = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

/** Returns the balance without the plan's credits. */
const withoutMonthly = () =>
  app.db.query({
    name: '',
    text: `update accounts set credits_granted = 1000000,
             credits_month = ((extract(year from $1::timestamptz) - 1970) * 12 + extract(month from $1::timestamptz) - 1)::int`,
    values: [app.clock.now()],
  });

const page = { texts: [{ x: 72, y: 80, text: 'Lease', size: 20 }, ...lines(72, 110, ['What is said is said.'])] };

async function withPdf(pages = 2, pdf = drawPages(Array(pages).fill(page))): Promise<string> {
  const id = await createDraft(app, company.key);
  await attachPdf(app, company, id, pdf);
  return id;
}

const unlockOf = async (id: string) => (await member.get(`/documents/${id}/unlock`)).body;
const ended = (id: string) =>
  eventually(
    () => unlockOf(id),
    ({ status }) => status !== 'pending',
  );

const audited = () =>
  app.db.query<{ person_id: string; detail: unknown }>({
    name: '',
    text: "select person_id, detail from account_audit_entries where account_id = $1 and action = 'unlock_asked'",
    values: [company.id],
  });

test('a member is told the price, agrees to it, and it is paid once however often it is asked for', async () => {
  const id = await withPdf();
  expect(await unlockOf(id)).toEqual({
    status: 'none',
    reason: null,
    can_unlock: true,
    pages: 2,
    cost: 2,
    credits: 0,
  });
  await member.post(`/documents/${id}/unlock`, { pages: 2 });
  expect(await ended(id)).toMatchObject({ status: 'skipped', reason: 'insufficient_credits', cost: 2 });

  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 5));
  expect(refusal(await member.post(`/documents/${id}/unlock`, { pages: 1 }))).toEqual([409, 'changed_meanwhile']);
  const asked = await Promise.all([1, 2, 3].map(() => member.post(`/documents/${id}/unlock`, { pages: 2 })));
  expect(asked.map(({ status, body }) => [status, body.status === 'skipped'])).toEqual(Array(3).fill([200, false]));
  expect(await ended(id)).toEqual({
    status: 'unlocked',
    reason: null,
    can_unlock: false,
    pages: 2,
    cost: 0,
    credits: 3,
  });
  await member.post(`/documents/${id}/unlock`, { pages: 2 });
  expect(await unlockOf(id)).toMatchObject({ status: 'unlocked', credits: 3 });
  const { id: personId } = (await member.get('/me')).body.person;
  expect(await audited()).toEqual(Array(2).fill({ person_id: personId, detail: { document_id: id, pages: 2 } }));
});

test('an unlocked file is shown with the balance after the payment', async () => {
  const id = await withPdf();
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 2));
  const { credits } = await unlockOf(id);
  await member.post(`/documents/${id}/unlock`, { pages: 2 });
  await ended(id);

  // As when both are read while the worker commits: nobody can read the row before the credits have changed.
  const { reading } = await app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'lock table document_unlocks in access exclusive mode', values: [] });
    const reading = unlockOf(id);
    await eventually(
      () => app.db.query<{ waiting: number }>({ name: '', text: waitingForUnlocks, values: [] }),
      ([row]) => (row?.waiting ?? 0) > 0,
    );
    await tx.query({
      name: '',
      text: 'update accounts set credits = credits - 1 where id = $1',
      values: [company.id],
    });
    return { reading };
  });
  expect(await reading).toMatchObject({ status: 'unlocked', credits: credits - 3 });
});

const waitingForUnlocks = `select count(*)::int as waiting from pg_locks
  where relation = 'document_unlocks'::regclass and not granted`;

test('what cannot be unlocked says why, and costs nothing', async () => {
  const blank = await withPdf(1, drawPages([{ texts: [] }]));
  const { credits } = await unlockOf(blank);
  await member.post(`/documents/${blank}/unlock`, { pages: 1 });
  expect(await ended(blank)).toEqual({
    status: 'failed',
    reason: 'no_text',
    can_unlock: true,
    pages: 1,
    cost: 1,
    credits,
  });
  expect(refusal(await member.get(`/documents/${await createDraft(app, company.key)}/unlock`))).toEqual([
    409,
    'refused',
  ]);

  const voided = await withPdf(1);
  await member.post(`/documents/${voided}/void`, { reason: 'Signed on paper' });
  expect(await unlockOf(voided)).toMatchObject({ status: 'none', can_unlock: false });
  expect(refusal(await member.post(`/documents/${voided}/unlock`, { pages: 1 }))).toEqual([409, 'refused']);
});

test('a sensitive paper is unlocked by owners and admins alone', async () => {
  const id = await withPdf(1);
  await app.db.query({ name: '', text: "update documents set restricted_kind = 'other' where id = $1", values: [id] });
  expect(refusal(await member.get(`/documents/${id}/unlock`))).toEqual([404, 'not_found']);
  expect(refusal(await member.post(`/documents/${id}/unlock`, { pages: 1 }))).toEqual([404, 'not_found']);
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await admin.post(`/documents/${id}/unlock`, { pages: 1 })).body.status).toBe('pending');
});
