import { expect, onTestFinished, test } from 'vitest';
import {
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestServiceOptions,
} from '../support/service.ts';
import { openLinkOf, signature } from './signer.ts';

async function start(options: TestServiceOptions) {
  const app = await startTestService(options);
  onTestFinished(() => app.stop());
  return app;
}

test('the longest wait of a completed document for its seal is reported, also when its job was lost', async () => {
  const app = await start({ env: { ROLE: 'web' } });
  const company = await createCompany(app);
  const oldestWaiting = async () => {
    const text = await (await fetch(`${app.service.origin}/metrics`)).text();
    return /^countersign_seal_oldest_waiting_seconds (\d+)$/m.exec(text)?.[1];
  };
  const sign = async (title: string) => {
    const id = await createSent(app, company.key, { title });
    const signer = await openLinkOf(app, company, id, signature.full_name);
    expect((await signer.post('sign', signature)).status).toBe(200);
    return id;
  };
  const stop = (id: string) =>
    app.db.query({ name: '', text: 'update documents set seal_changed_page = 1 where id = $1', values: [id] });

  await createSent(app, company.key);
  expect(await oldestWaiting()).toBe('0');
  const first = await sign('Roof repair');
  app.clock.advance({ minutes: 20 });
  await sign('Fence');
  app.clock.advance({ minutes: 5 });
  await app.db.query({ name: '', text: "delete from jobs.job where name = 'seal-document'", values: [] });
  expect(await oldestWaiting()).toBe('1500');

  // Nothing is tried before an operator retries it.
  await stop(first);
  expect(await oldestWaiting()).toBe('300');

  app.clock.advance({ minutes: 15 });
  await start({ env: { ROLE: 'worker' }, databaseUrl: app.databaseUrl, clock: app.clock });
  expect(await eventually(oldestWaiting, (seconds) => seconds === '0')).toBe('0');
});
