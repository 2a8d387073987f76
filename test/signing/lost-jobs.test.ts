import { afterAll, beforeAll, expect, test } from 'vitest';
import { requeueUnattested } from '../../src/signing/attest-acts.ts';
import { requeueUnsealed } from '../../src/signing/seal-document.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { openLinkOf, signature } from './signer.ts';

/** Jobs that were given up are found again behind those that keep failing. The service has no worker. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
});
afterAll(() => app.stop());

async function signed(recipients: readonly object[]): Promise<string> {
  const id = await createSent(app, company.key, { recipients });
  const signer = await openLinkOf(app, company, id, signature.full_name);
  expect((await signer.post('sign', signature)).status).toBe(200);
  app.clock.advance({ minutes: 1 });
  return id;
}

const loseJob = (id: string) =>
  app.db.query({ name: '', text: `delete from jobs.job where data ->> 'documentId' = $1`, values: [id] });

async function jobsOf(id: string): Promise<string[]> {
  const rows = await app.db.query<{ name: string }>({
    name: '',
    text: `select name from jobs.job where data ->> 'documentId' = $1`,
    values: [id],
  });
  return rows.map(({ name }) => name);
}

const ada = { name: signature.full_name, email: 'ada@example.com' };
const bo = { name: 'Bo Núñez', email: 'bo@example.com' };

test('an attestation without a job is enqueued, also while older ones wait for their next attempt', async () => {
  const [, lost] = [await signed([ada, bo]), await signed([ada, bo])];
  await loseJob(lost);
  app.clock.advance({ hours: 1 });
  const queue = await app.queue();
  expect(await requeueUnattested(app.world, app.db, queue, 1)).toBe(1);
  expect(await jobsOf(lost)).toEqual(['attest-act']);
  expect(await requeueUnattested(app.world, app.db, queue, 1)).toBe(0);
});

test('a seal without a job is enqueued, also while older ones wait for their next attempt', async () => {
  const [, lost] = [await signed([ada]), await signed([ada])];
  await loseJob(lost);
  app.clock.advance({ hours: 1 });
  const queue = await app.queue();
  expect(await requeueUnsealed(app.world, app.db, queue, 1)).toBe(1);
  expect(await jobsOf(lost)).toEqual(['seal-document']);
  expect(await requeueUnsealed(app.world, app.db, queue, 1)).toBe(0);
});
