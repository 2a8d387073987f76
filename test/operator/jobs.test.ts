import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/messages/job-queue.ts';
import { addMember, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { type SlowMailServer, startMailServer } from '../support/smtp.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { createOperator, operatorSignedIn } from './operator-company.ts';

/** Jobs fail for good while the mail server is away, and succeed when an operator retries them. */
let app: TestService;
let company: Company;
let operator: Visitor;
let boss: PgBoss;
let port: number;
let endpoint: string;

beforeAll(async () => {
  port = Number(await freePort());
  app = await startTestService({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'sign@service.example' } });
  company = await createCompany(app);
  endpoint = (await createEndpoint(app, company.id, 'https://hooks.example/in')).id;
  await app.db.query({
    name: '',
    text: `update webhook_endpoints set paused_at = now(), paused_by = 'failures' where id = $1`,
    values: [endpoint],
  });
  operator = await operatorSignedIn(app, await createOperator(app));
  boss = new PgBoss({ connectionString: app.databaseUrl, schema: 'jobs', migrate: false, supervise: false, max: 1 });
  boss.on('error', () => {});
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await app.stop();
});

/** Enqueues a job that is given up after its first attempt. */
async function enqueueOnce(job: Job): Promise<void> {
  await boss.updateQueue(job.name, { retryLimit: 0 });
  const queue = await app.queue();
  await app.db.transaction((tx) => queue.enqueue(tx, [job]));
  await boss.updateQueue(job.name, { retryLimit: 20 });
}

const failed = async (query = '') => (await operator.get(`/operator/jobs?${query}`)).body.data;
const failedOf = (queue: string, count: number) =>
  eventually(
    () => failed(`queue=${queue}`),
    (jobs) => jobs.length === count,
  );
/** The notices that a mail server got. An e-mail about a sign-in, which was tried in vain before, may come too. */
const noticesIn = ({ accepted }: Pick<SlowMailServer, 'accepted'>) =>
  accepted.filter(({ to }) => to.startsWith('owner-'));
const retry = (id: string) => operator.post('/operator/jobs/retry', { id });

async function enqueueNotice(): Promise<void> {
  const owner = await addMember(app, company.id, 'owner', `owner-${app.world.newId()}@example.com`);
  const job = { messageId: app.world.newId(), endpointId: endpoint, memberId: owner.id } as const;
  await enqueueOnce({ ...job, name: 'tell-owner', state: 'paused' });
}

test('a job that really failed is shown without contact details, and its retry delivers the e-mail', async () => {
  await enqueueNotice();
  const [job] = await failedOf('tell-owner', 1);
  expect(job).toMatchObject({
    queue: 'tell-owner',
    tries: 1,
    account_id: company.id,
    account_name: 'Acme Builders',
    document_id: null,
    error: expect.stringContaining('ECONNREFUSED'),
  });
  expect(Object.keys(job)).not.toContain('data');
  expect(JSON.stringify(job)).not.toContain('@');
  const { queues } = await eventually(
    async () => (await operator.get('/operator/queues')).body,
    (body) => body.queues.some(({ failed: count }: { failed: number }) => count === 1),
  );
  expect(queues.find(({ queue }: { queue: string }) => queue === 'tell-owner')).toMatchObject({ failed: 1 });

  const mail = await startMailServer(() => 0, port);
  const answers = await Promise.all([retry(job.id), retry(job.id), retry(job.id)]);
  expect(answers.map(({ body }) => body.retried).toSorted()).toEqual([false, false, true]);
  await eventually(
    async () => noticesIn(mail).length,
    (count) => count > 0,
  );
  expect(await failed('queue=tell-owner')).toEqual([]);
  expect((await retry(job.id)).body.retried).toBe(false);
  const [done] = await eventually(
    () => boss.findJobs<object>('tell-owner', { id: job.id }),
    ([found]) => found?.state === 'completed',
  );
  expect(done?.state).toBe('completed');
  expect(noticesIn(mail)).toHaveLength(1);
  const entries = (await operator.get('/operator/log')).body.data;
  expect(entries[0]).toMatchObject({
    action: 'job_retried',
    account_id: company.id,
    detail: { queue: 'tell-owner', job_id: job.id },
  });
  expect(entries.filter(({ action }: { action: string }) => action === 'job_retried')).toHaveLength(1);
  await mail.close();
});

test('all failed jobs of a queue are retried at once, and each e-mail is sent once', async () => {
  for (let made = 0; made < 5; made++) await enqueueNotice();
  await failedOf('tell-owner', 5);
  const first = (await operator.get('/operator/jobs?limit=2')).body;
  const second = (await operator.get(`/operator/jobs?limit=3&starting_after=${first.next_cursor}`)).body;
  const ids = [...first.data, ...second.data].map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
  expect([first.has_more, second.has_more]).toEqual([true, false]);

  const mail = await startMailServer(() => 0, port);
  const all = () => operator.post('/operator/jobs/retry-all', { queue: 'tell-owner' });
  const answers = await Promise.all([all(), all()]);
  expect(answers.reduce((sum, { body }) => sum + body.retried, 0)).toBe(5);
  await eventually(
    async () => noticesIn(mail).length,
    (count) => count === 5,
  );
  expect(await failed()).toEqual([]);
  expect((await all()).body).toEqual({ retried: 0, is_more: false });
  // The job that the cursor is after was retried.
  const gone = await operator.get(`/operator/jobs?starting_after=${first.next_cursor}`);
  expect(refusal(gone)).toEqual([409, 'changed_meanwhile']);
  expect(new Set(noticesIn(mail).map(({ id }) => id)).size).toBe(5);
  await mail.close();
});

test('a failed job whose document has another one waiting stays as it is', async () => {
  const documentId = await createDraft(app, company.key);
  const fail = async () => {
    const id = (await boss.send(
      'seal-document',
      { name: 'seal-document', accountId: company.id, documentId },
      {
        singletonKey: documentId,
        startAfter: 3600,
      },
    )) as string;
    return id;
  };
  const older = await fail();
  await app.db.query({
    name: '',
    text: `update jobs.job set state = 'failed', completed_on = now(), output = '{"message": "the disk is full"}'
           where name = 'seal-document' and id = $1`,
    values: [older],
  });
  const newer = await fail();
  const [job] = await failedOf('seal-document', 1);
  expect(job).toMatchObject({ id: older, document_id: documentId, error: 'the disk is full' });
  expect((await retry(older)).body).toEqual({ retried: false });
  expect((await operator.post('/operator/jobs/retry-all', { queue: 'seal-document' })).body.retried).toBe(0);
  await boss.deleteJob('seal-document', newer);
  expect((await retry(older)).body).toEqual({ retried: true });
  await boss.deleteJob('seal-document', older);
});

test('malformed requests are refused', async () => {
  for (const id of ['x', '', null, 1, '__proto__']) expect((await retry(id as string)).status, String(id)).toBe(400);
  for (const queue of ['x', '', 'constructor', null]) {
    expect((await operator.post('/operator/jobs/retry-all', { queue })).status, String(queue)).toBe(400);
  }
  expect((await operator.get('/operator/jobs?queue=x')).status).toBe(400);
  const member = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect(refusal(await member.post('/operator/jobs/retry', { id: app.world.newId() }))).toEqual([403, 'forbidden']);
});

test('dead deliveries and stopped seals are counted', async () => {
  const documentId = await createDraft(app, company.key);
  await app.db.query({
    name: '',
    text: 'update documents set seal_changed_page = 2 where id = $1',
    values: [documentId],
  });
  const { body } = await operator.get('/operator/queues');
  expect(body).toMatchObject({ dead_deliveries: 0, stopped_seals: 1 });
  expect(body.stopped).toEqual([{ document_id: documentId, account_id: company.id, account_name: 'Acme Builders' }]);
});
