import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { addMember, signedIn } from '../console/visitor.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany, createDraft, eventually } from '../support/service.ts';
import { ask, count, randomBetween, recoveryMs } from './outcome.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

const documents = 250;
const crashes = 3;

test('kill -9 of workers while scheduled documents are sent: each is sent, once, with one request', async () => {
  ground = await prepareGround();
  const company = await createCompany(ground);
  const member = await addMember(ground, company.id, 'member');
  const web = await startServer({ ...ground.settings, ROLE: 'web' });
  const visitor = await signedIn({ ...ground, ...web }, member);
  for (let i = 0; i < documents; i += 1) {
    const id = await createDraft(web, company.key);
    const sendAt = new Date(Date.now() + 600_000).toISOString();
    expect((await visitor.post(`/documents/${id}/schedule`, { version: 1, send_at: sendAt })).status).toBe(200);
  }
  await ask(ground, 'update documents set send_at = $1', [new Date()]);

  const unsent = `documents where status = 'draft'`;
  for (let i = 0; i < crashes; i += 1) {
    const before = await count(ground, unsent);
    const workers = await Promise.all([1, 2].map(() => startServer({ ...ground.settings, ROLE: 'worker' })));
    await eventually(
      () => count(ground, unsent),
      (left) => left < before,
      recoveryMs,
    );
    await sleep(randomBetween(0, 50));
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    expect(await count(ground, `documents where (status = 'sent') <> (send_at is null)`)).toBe(0);
  }
  await startServer({ ...ground.settings, ROLE: 'worker' });
  await eventually(
    () => count(ground, unsent),
    (left) => left === 0,
    recoveryMs,
  );
  expect(await count(ground, `audit_entries where action = 'sent'`)).toBe(documents);
  expect(await count(ground, `events where type = 'document.sent'`)).toBe(documents);
  expect(await count(ground, `messages where kind = 'signature_request'`)).toBe(documents);
  expect(await count(ground, `audit_entries where action = 'schedule_failed'`)).toBe(0);
  web.kill('SIGTERM');
  await web.ended;
});
