import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import type { Receiver } from '../support/receiver.ts';
import { type Company, call, createDraft, createSent, eventually, type TestService } from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { addMember } from './visitor.ts';

export interface SampleSettings {
  /** An endpoint that acknowledged one event and redirected another, which is given up at once. */
  webhook: { id: string };
}

/** Creates a company with a month of usage, an endpoint with deliveries, members and credits. */
export async function createSampleSettings(
  app: TestService,
  company: Company,
  receiver: Receiver,
): Promise<SampleSettings> {
  const webhook = await createEndpoint(app, company.id, receiver.url);
  receiver.answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end('{"error":"moved"}');
  await createSent(app, company.key, { title: 'Roof repair' });
  const settled = (status: string, count: number) =>
    eventually(
      () =>
        app.db.query({
          name: '',
          text: 'select 1 from webhook_deliveries where endpoint_id = $1 and status = $2',
          values: [webhook.id, status],
        }),
      ({ length }) => length === count,
    );
  await settled('dead', 1);
  receiver.answer = (response) => response.end('thanks');
  await createSent(app, company.key, { title: 'Lease: 12 Harbour Street' });
  await settled('delivered', 1);

  await call(app, 'GET', '/documents?limit=500', { key: company.testKey });
  await company.keyWith(['documents:read', 'recipients:read']);
  await app.db.query({
    name: '',
    text: `update api_keys set name = case when mode = 'test' then 'Staging' when cardinality(scopes) = 2 then 'Reports' else 'Website' end
           where account_id = $1`,
    values: [company.id],
  });
  await addMember(app, company.id, 'admin', 'grace@example.com');
  await addMember(app, company.id, 'member', 'alan@example.com');
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 250));
  await restrictSample(app, company);
  await useForAMonth(app, company.id);
  await attemptForAMonth(app, webhook.id);
  await eventually(
    () => app.db.query({ name: '', text: 'select 1 from request_log where account_id = $1', values: [company.id] }),
    ({ length }) => length > 0,
  );
  return { webhook };
}

async function restrictSample(app: TestService, company: Company): Promise<void> {
  const id = await createDraft(app, company.key, { title: 'Payroll, March', type: 'form' });
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, id, 'all');
    if (document !== null) await restrictDocument(app.world, tx, document, 'operator', 'pay');
  });
}

/** Different values each day, so that the charts have a shape. */
async function useForAMonth(app: TestService, accountId: string): Promise<void> {
  const today = Math.floor(app.clock.now().getTime() / 86_400_000);
  await app.db.query({
    name: '',
    text: `insert into usage_days (account_id, day, requests, refused, failed, import_files, import_bytes)
           select $1, $2 - n, 400 + 37 * (n * n % 23), n % 9, n % 4 / 3, n * 7 % 19, (n * 7 % 19) * 2345678
           from generate_series(1, 29) n`,
    values: [accountId, today],
  });
}

/** Failures on some days and hours. */
async function attemptForAMonth(app: TestService, endpointId: string): Promise<void> {
  await app.db.query({
    name: '',
    text: `insert into webhook_attempt_counts (endpoint_id, hour, share, duration_class, delivered, failed)
           select $1, date_trunc('hour', $2::timestamptz) - n * interval '1 hour', 0, 15 + n % 7, 20 + n * n % 23,
             case when n % 50 < 3 then 9 else 0 end
           from generate_series(1, 700) n`,
    values: [endpointId, app.clock.now()],
  });
}
