import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStreams } from '../../src/audit-stream/open-streams.ts';
import { createStreamRunner } from '../../src/audit-stream/run-streams.ts';
import { createHostResolver } from '../../src/public-fetch/public-fetch.ts';
import { startReceiver } from '../support/receiver.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { secretBoxOf } from '../support/webhooks.ts';
import { note, stateOf, streamTo } from './streams.ts';

let app: TestService;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());

test.each([
  ['slow', 2200, 1],
  ['fast', 0, 3],
])('a %s destination gets what waits in its turn', async (_pace, answerMs, batches) => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  receiver.answer = async (response) => {
    await sleep(answerMs);
    response.end();
  };
  const { id } = await createCompany(app);
  await streamTo(app, id, receiver.url);
  await app.db.transaction(async (tx) => {
    for (let n = 0; n < 250; n++) await note(app, tx, id, n);
  });
  app.clock.advance({ seconds: 5 });

  const deps = openStreams(
    { webhookAllowPrivate: true, webhookTimeoutMs: 10_000, outboundProxyUrl: null },
    {
      world: app.world,
      db: app.db,
      secretBox: await secretBoxOf(app),
      resolver: createHostResolver({ timeoutMs: 3000 }),
      origin: () => app.service.origin,
    },
  );
  const runner = createStreamRunner({ ...deps, queue: await app.queue(), onBatch: () => {} });
  onTestFinished(async () => {
    await runner.stop();
    await deps.publicFetch.close();
  });
  await runner.startDue();
  await eventually(
    () => stateOf(app, id),
    ({ sent_entries, waiting }) => sent_entries > 0 && (batches === 1 || waiting === 0),
  );
  await sleep(200);
  expect(receiver.received).toHaveLength(batches);
});
