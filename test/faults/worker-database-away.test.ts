import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import type { Away } from '../support/fault-proxy.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { type FaultyService, startFaultyService } from './faulty-service.ts';

let worker: FaultyService;
let web: TestService;
let company: Company;

beforeAll(async () => {
  worker = await startFaultyService({ ROLE: 'worker' }, true);
  web = await startTestService({ databaseUrl: worker.databaseUrl, env: { ROLE: 'web' } });
  company = await createCompany(web);
});
afterAll(async () => {
  await web.stop();
  await worker.stop();
});

const outages: Array<[Away, 'thawed' | 'left']> = [
  ['refused', 'thawed'],
  ['frozen', 'thawed'],
  ['frozen', 'left'],
  ['cut', 'thawed'],
];

test.each(outages)(
  "a message owed while the worker's database is %s is delivered once it is back (%s)",
  async (manner, after) => {
    const address = `${manner}-${after}@example.com`;
    const received = () => listMailbox(join(worker.dataDir, 'mailbox'), { limit: 100, to: address });
    await deliverOne();

    worker.proxy.away(manner);
    await createSent(web, company.key, { recipients: [{ name: 'Ada Lovelace', email: address }] });
    if (manner !== 'cut') {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(await received()).toHaveLength(0);
    }
    await worker.proxy.restore(after);
    // In the worst case the queue and the delivery each give up a silent connection before the retry.
    await eventually(received, (messages) => messages.length === 1, 150_000);
  },
);

/** Delivers one event, so that the worker is awake and its connections are in use. */
async function deliverOne(): Promise<void> {
  const id = await createSent(web, company.key);
  await eventually(
    () =>
      web.db.query<{ status: string }>({
        name: 'message_status',
        text: 'select status from messages where document_id = $1',
        values: [id],
      }),
    ([message]) => message?.status === 'accepted',
  );
}
