import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';

let app: TestService;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());

test('200 messages owed at once all leave within seconds: a worker with work before it does not pause', async () => {
  const { key } = await createCompany(app);
  const recipients = Array.from({ length: 20 }, (_, i) => ({ name: 'Ada Lovelace', email: `ada-${i}@example.com` }));
  await Promise.all(Array.from({ length: 10 }, () => createSent(app, key, { recipients })));
  const delivered = async () => new Set((await listMailbox(join(app.dataDir, 'mailbox'))).map(({ id }) => id)).size;
  await eventually(delivered, (messages) => messages === 200);
});
