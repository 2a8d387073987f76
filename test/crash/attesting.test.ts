import { afterEach, expect, test } from 'vitest';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany, createSent, eventually } from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { ask, count, crashAtWork, recoveryMs } from './outcome.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

const documents = 25;

test('kill -9 of the worker while it attests: every act is attested, once, and every document is sealed', async () => {
  ground = await prepareGround();
  const company = await createCompany(ground);
  const all = await startServer(ground.settings);
  const people = (i: number) => [`ada-${i}@example.com`, `bo-${i}@example.com`];
  const ids: string[] = [];
  for (let i = 0; i < documents; i++) {
    const recipients = people(i).map((email) => ({ name: 'Ada Lovelace', email }));
    ids.push(await createSent(all, company.key, { recipients }));
  }
  await eventually(
    () => count(ground, `messages where status = 'accepted'`),
    (accepted) => accepted === 2 * documents,
    recoveryMs,
  );
  all.kill('SIGTERM');
  await all.ended;

  const web = await startServer({ ...ground.settings, ROLE: 'web' });
  const sign = async (which: 0 | 1) => {
    for (let i = 0; i < documents; i++) {
      await signAs({ ...web, dataDir: ground.dataDir }, people(i)[which] ?? '', 'Ada Lovelace');
    }
  };
  await sign(0);
  for (let crashes = 0; crashes < 2; crashes++) {
    await crashAtWork(ground, ground.settings, { queue: 'attest-act', afterMsMax: 60 });
  }
  expect(await count(ground, 'attestations where cms is null')).toBeGreaterThan(0);
  // Sealing finds the missing ones of the first recipients, whose jobs may be lost, and attests those of the last.
  await ask(ground, `delete from jobs.job where name = 'attest-act'`);
  await sign(1);
  await crashAtWork(ground, ground.settings, { queue: 'seal-document', afterMsMax: 60 });
  await startServer({ ...ground.settings, ROLE: 'worker' });
  await eventually(
    () => count(ground, 'documents where sealed_at is null'),
    (unsealed) => unsealed === 0,
    recoveryMs,
  );
  expect(await count(ground, 'attestations where cms is null')).toBe(0);
  for (const id of ids) {
    const trail = await readAudit(ground.db, company.id, id);
    expect(firstBreak(id, trail)).toBe(null);
    const acts = trail.filter(({ action }) => action === 'signed').map(({ seq }) => seq);
    const sealed = trail.findIndex(({ action }) => action === 'sealed');
    const attested = trail.slice(0, sealed).filter(({ action }) => action === 'attested');
    expect(attested.map(({ detail }) => detail.entry).sort()).toEqual(acts.sort());
    expect(trail.filter(({ action }) => action === 'attested')).toHaveLength(2);
  }
});
