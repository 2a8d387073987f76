import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Away } from '../support/fault-proxy.ts';
import { type Inbox, startInbox } from '../support/inbox.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { type FaultyService, startFaultyService } from './faulty-service.ts';

let inbox: Inbox;
let worker: FaultyService;
let web: TestService;
let company: Company;

beforeAll(async () => {
  inbox = await startInbox();
  worker = await startFaultyService({ ROLE: 'worker', SMTP_URL: inbox.url });
  web = await startTestService({ databaseUrl: worker.databaseUrl, env: { ROLE: 'web' } });
  company = await createCompany(web);
});
afterAll(async () => {
  await web.stop();
  await worker.stop();
  await inbox.close();
});

test.each<Away>(['cut', 'refused'])(
  'an e-mail that was accepted when the database was %s is not sent again',
  async (manner) => {
    const address = `${manner}@example.com`;
    const isAway = worker.proxy.awayAt('settle_message', manner);
    const id = await createSent(web, company.key, { recipients: [{ name: 'Ada Lovelace', email: address }] });
    await eventually(async () => isAway(), Boolean);
    await sleep(1500);
    await worker.proxy.restore();
    const text = 'select status, attempts from messages where document_id = $1';
    const [message] = await eventually(
      () => web.db.query<{ status: string }>({ name: '', text, values: [id] }),
      ([found]) => found?.status === 'accepted',
    );
    expect(message).toEqual({ status: 'accepted', attempts: 1 });
    expect(inbox.received.map(({ to }) => to).filter((to) => to === address)).toEqual([address]);
  },
);
