import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCredits } from '../../src/accounts/manage-accounts.ts';
import type { Tier } from '../../src/accounts/plans.ts';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type ImportService, startImport, startImportService } from '../imports/import-service.ts';
import { attachPdf } from '../support/attach.ts';
import { type Company, createCompany } from '../support/service.ts';

let app: ImportService;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());

interface Unlock {
  status: string;
  pages: number | null;
  credits: number | null;
  reason: string | null;
}

async function importAll(company: Company, files: Buffer[], extra: object = {}) {
  const links = files.map((bytes) => ({ url: app.store.share('a.pdf', bytes) }));
  const { status, body, text } = await startImport(app, company, { source: 'cloud_files', files: links, ...extra });
  expect(status, text).toBe(201);
  return body.items as Array<{ document_id: string; status: string; duplicate: boolean; unlock: Unlock | null }>;
}

const unlocks = async (company: Company, files: Buffer[]) =>
  (await importAll(company, files)).map(({ unlock }) => unlock);

/** Creates a company with bought credits and a plan without credits. */
async function companyWith(credits: number, tier: Tier = 'enterprise') {
  const company = await createCompany(app, tier);
  await app.db.query({
    name: '',
    text: 'update accounts set credits_month = $2, credits_granted = 10000 where id = $1',
    values: [company.id, (2026 - 1970) * 12 + 2],
  });
  if (credits > 0) await app.db.transaction((tx) => addCredits(app.world, tx, company.id, credits));
  return company;
}

async function ledgerOf({ id }: Company) {
  const [account] = await app.db.query<{ credits: number }>({
    name: '',
    text: 'select credits from accounts where id = $1',
    values: [id],
  });
  const entries = await app.db.query<{ amount: number; balance: number }>({
    name: '',
    text: 'select amount, balance from credit_entries where account_id = $1 order by number',
    values: [id],
  });
  return { credits: account?.credits, entries: entries.map(({ amount, balance }) => [amount, balance]) };
}

test('a file is unlocked as it is imported, for a credit a page, unless that is not wanted', async () => {
  const company = await companyWith(10);
  const [item] = await importAll(company, [aPdf({ pages: 3 })]);
  expect(item?.unlock).toEqual({ status: 'unlocked', pages: 3, credits: 3, reason: null });
  const [plain] = await importAll(company, [aPdf()], { unlock_doc: false });
  expect(plain?.unlock).toBeNull();
  expect(await ledgerOf(company)).toEqual({
    credits: 7,
    entries: [
      [10, 10],
      [-3, 7],
    ],
  });
});

test('what came of each is told: a page of nothing, a lock against copying, too few credits', async () => {
  const company = await companyWith(2);
  const locked = await PDF.load(aPdf());
  locked.setProtection({ ownerPassword: 'secret', permissions: { copy: false } });
  const blank = makePdf({ pages: [{ text: '' }] });
  const told = await unlocks(company, [blank, Buffer.from(await locked.save()), aPdf({ pages: 3 })]);
  expect(told).toEqual([
    { status: 'failed', pages: null, credits: 0, reason: 'no_text' },
    { status: 'failed', pages: null, credits: 0, reason: 'encrypted_pdf' },
    { status: 'skipped', pages: null, credits: 0, reason: 'insufficient_credits' },
  ]);
  expect((await ledgerOf(company)).credits).toBe(2);
});

test('a file that resolves to an unlocked document costs nothing; one that was skipped is unlocked later', async () => {
  const company = await companyWith(3);
  const [first, large] = [aPdf({ pages: 2 }), aPdf({ pages: 5 })];
  const [one] = await importAll(company, [first]);
  const [again] = await importAll(company, [first]);
  expect(again).toMatchObject({ document_id: one?.document_id, duplicate: true });
  expect(again?.unlock).toEqual({ status: 'unlocked', pages: 2, credits: 0, reason: null });
  expect(await unlocks(company, [large])).toMatchObject([{ status: 'skipped', reason: 'insufficient_credits' }]);
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 4));
  expect(await unlocks(company, [large])).toEqual([{ status: 'unlocked', pages: 5, credits: 5, reason: null }]);
  expect((await ledgerOf(company)).credits).toBe(0);
});

test('a document that has got another file, or was voided, is not unlocked when its first file comes again', async () => {
  const company = await companyWith(50);
  const first = aPdf({ pages: 2 });
  const [made] = await importAll(company, [first]);
  const id = made?.document_id ?? '';
  const skipped = { status: 'skipped', pages: null, credits: 0, reason: null };
  const again = async () => (await unlocks(company, [first]))[0];
  await attachPdf(app, company, id, aPdf({ pages: 20 }));
  expect(await again()).toEqual(skipped);
  await attachPdf(app, company, id, first);
  expect(await again()).toMatchObject({ status: 'unlocked', credits: 0 });
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.post(`/documents/${id}/void`, { reason: 'Not needed' })).status).toBe(200);
  expect(await again()).toEqual(skipped);
  expect((await ledgerOf(company)).credits).toBe(48);
});

test('the same file twice in one import, and in several at once, is charged once', async () => {
  const company = await companyWith(10);
  const bytes = aPdf({ pages: 4 });
  const all = (await Promise.all([1, 2, 3].map(() => unlocks(company, [bytes, bytes])))).flat();
  expect(all.every((unlock) => unlock?.status === 'unlocked' && unlock.pages === 4)).toBe(true);
  expect(all.reduce((sum, unlock) => sum + (unlock?.credits ?? 0), 0)).toBe(4);
  expect((await ledgerOf(company)).entries).toEqual([
    [10, 10],
    [-4, 6],
  ]);
});

test('of many that race for the last credits as many are unlocked as there are credits for', async () => {
  const company = await companyWith(5);
  const told = await unlocks(
    company,
    Array.from({ length: 8 }, () => aPdf({ pages: 2 })),
  );
  expect(told.filter((unlock) => unlock?.status === 'unlocked')).toHaveLength(2);
  expect(told.filter((unlock) => unlock?.reason === 'insufficient_credits')).toHaveLength(6);
  expect((await ledgerOf(company)).credits).toBe(1);
});

test("the plan's credits come once a month, before bought ones are taken, and stay", async () => {
  const company = await createCompany(app, 'pro');
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 3));
  await unlocks(company, [aPdf({ pages: 2 })]);
  expect((await ledgerOf(company)).entries).toEqual([
    [3, 3],
    [200, 203],
    [-2, 201],
  ]);
  await unlocks(company, [aPdf({ pages: 2 }), aPdf({ pages: 1 })]);
  const { credits, entries } = await ledgerOf(company);
  expect(credits).toBe(203 - 5);
  expect(entries.filter(([amount]) => amount === 200)).toHaveLength(1);
  expect(await unlocks(company, [aPdf({ pages: 199 })])).toMatchObject([{ reason: 'insufficient_credits' }]);

  await app.db.query({ name: '', text: `update accounts set tier = 'team' where id = $1`, values: [company.id] });
  expect(await unlocks(company, [aPdf({ pages: 199 })])).toMatchObject([{ credits: 199 }]);
  expect((await ledgerOf(company)).credits).toBe(198 + 800 - 199);
});

test("the plan's credits come once when a clock at the turn of the month is behind another", async () => {
  const company = await createCompany(app, 'pro');
  app.clock.advance({ days: 21, hours: 12 });
  expect(app.clock.now().toISOString()).toMatch(/^2026-04-01T00:00/);
  await unlocks(company, [aPdf()]);
  app.clock.advance({ minutes: -2 });
  await unlocks(company, [aPdf()]);
  app.clock.advance({ minutes: 2 });
  await unlocks(company, [aPdf()]);
  const april = [
    [200, 200],
    [-1, 199],
    [-1, 198],
    [-1, 197],
  ];
  expect((await ledgerOf(company)).entries).toEqual(april);

  // A clock that was months ahead doesn't withhold them once it is set right.
  app.clock.advance({ days: 70 });
  await unlocks(company, [aPdf()]);
  app.clock.advance({ days: -70 });
  await unlocks(company, [aPdf()]);
  expect((await ledgerOf(company)).entries).toEqual([...april, [200, 397], [-1, 396], [200, 596], [-1, 595]]);
});
