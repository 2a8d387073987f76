import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { type Company, call, createCompany, createSent, eventually } from '../support/service.ts';
import { signAs } from '../support/sign.ts';

let ground: Ground;
let company: Company;

beforeAll(async () => {
  ground = await prepareGround();
  company = await createCompany(ground);
});
afterEach(endServers);
afterAll(() => ground.clear());

const mailFor = (address: string) => listMailbox(join(ground.dataDir, 'mailbox'), { to: address });

async function sealedFile(id: string): Promise<string | null> {
  const rows = await ground.db.query<{ sealed_file: string | null }>({
    name: 'sealed_file',
    text: 'select sealed_file from documents where id = $1',
    values: [id],
  });
  return rows[0]?.sealed_file ?? null;
}

test('web serves and does not deliver; worker delivers and seals what web left, and does not listen', async () => {
  const web = await startServer({ ...ground.settings, ROLE: 'web', WEBHOOK_ALLOW_PRIVATE: 'true' });
  await expect.poll(() => web.stderr()).toContain('WEBHOOK_ALLOW_PRIVATE lets webhooks reach this network');
  const id = await createSent(web, company.key, { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  await sleep(1000);
  expect(await mailFor('ada@example.com')).toEqual([]);

  // This is the port of the web process, so listening there would fail.
  await startServer({ ...ground.settings, ROLE: 'worker', PORT: new URL(web.baseUrl).port });
  await eventually(
    () => mailFor('ada@example.com'),
    (mail) => mail.length === 1,
  );

  await signAs({ ...web, dataDir: ground.dataDir }, 'ada@example.com', 'Ada Lovelace');
  expect((await call(web, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('completed');
  const file = await eventually(
    () => sealedFile(id),
    (name) => name !== null,
  );
  expect(existsSync(join(ground.dataDir, 'files', file as string))).toBe(true);
  await eventually(
    () => mailFor('ada@example.com'),
    (mail) => mail.length === 2,
  );
});
