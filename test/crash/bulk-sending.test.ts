import { afterEach, expect, test } from 'vitest';
import { startQueue } from '../../src/jobs/job-queue.ts';
import { bulkRows, bulkStatus, csvOf, startBulk } from '../support/bulk-send.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany, eventually } from '../support/service.ts';
import { ask, count, crashAtWork, recoveryMs } from './outcome.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 of the worker during a bulk send, and a lost job: every row is sent, once', async () => {
  ground = await prepareGround();
  const web = await startServer({ ...ground.settings, ROLE: 'web' });
  const company = await createCompany(ground);
  const queue = await startQueue(ground.databaseUrl, ground.world.log, false);
  const { id } = await startBulk(ground, company, queue, csvOf(300));
  await queue.stop();
  for (let crashes = 0; crashes < 2; crashes += 1) {
    await crashAtWork(ground, ground.settings, { queue: 'send-bulk-rows', afterMsMax: 300 });
  }
  const unsent = `bulk_send_rows where status = 'ready'`;
  expect(await count(ground, unsent)).toBeGreaterThan(0);
  await ask(ground, `delete from jobs.job where name = 'send-bulk-rows'`);

  await startServer({ ...ground.settings, ROLE: 'worker' });
  await eventually(
    () => bulkStatus(ground, id),
    (bulkSend) => bulkSend?.status === 'done',
    recoveryMs,
  );
  const rows = await bulkRows(ground, id);
  expect(rows.map(({ status, messages }) => `${status} ${messages}`)).toEqual(rows.map(() => 'sent 1'));
  expect(await count(ground, 'documents where not is_template')).toBe(300);
  web.kill('SIGTERM');
  await web.ended;
});
