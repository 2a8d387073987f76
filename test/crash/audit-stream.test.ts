import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { loggedIds, note, stateOf, streamTo } from '../audit-stream/streams.ts';
import { type OwnGround, prepareOwnGround } from '../support/own-server.ts';
import { endServers, startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { createCompany, eventually } from '../support/service.ts';
import { startSyslogServer } from '../support/syslog.ts';
import { randomBetween, recoveryMs } from './outcome.ts';

let ground: OwnGround;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

/** A lease lasts the time-out plus twenty seconds. */
const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '1000' };

test('kill -9 of workers and of the database while audit logs are streamed: every entry arrives, in order but for repetitions', async () => {
  ground = await prepareOwnGround();
  await startServer({ ...ground.settings, ...settings, ROLE: 'web' });
  const receiver = await startReceiver();
  const syslog = await startSyslogServer();
  receiver.answer = (response) => setTimeout(() => response.end(), randomBetween(0, 150));
  const companies = [await createCompany(ground), await createCompany(ground)];
  const [first, second] = companies.map(({ id }) => id) as [string, string];
  await streamTo(ground, first, receiver.url);
  await streamTo(ground, second, `syslog+tcp://127.0.0.1:${syslog.port}`, 'syslog');

  let isWriting = true;
  const entries: Promise<void>[] = [];
  const writing = companies.map(async ({ id }) => {
    for (let n = 0; isWriting; n++) {
      // Some transactions commit late, and so out of the order of their ids.
      const entry = ground.db.transaction(async (tx) => {
        await note(ground, tx, id, n);
        if (n % 7 === 0) await sleep(randomBetween(0, 400));
      });
      const written = entry.catch(() => {});
      entries.push(written);
      if (n % 7 !== 0) await written;
      await sleep(randomBetween(0, 6));
    }
  });
  for (let crash = 0; crash < 6; crash++) {
    // Two workers at once: a stream is sent by one of them.
    const workers = [await startServer({ ...ground.settings, ...settings, ROLE: 'worker' })];
    if (crash % 2 === 0) workers.push(await startServer({ ...ground.settings, ...settings, ROLE: 'worker' }));
    await sleep(randomBetween(1500, 4500));
    if (crash === 3) await ground.crashDatabase();
    for (const worker of workers) {
      worker.kill('SIGKILL');
      await worker.ended;
    }
    // The lease of a killed worker ends.
    if (crash === 2) await sleep(22_000);
  }
  isWriting = false;
  await Promise.all(writing);
  await Promise.all(entries);
  await note(ground, ground.db, first, 'last');
  const waiting = await Promise.all([first, second].map(async (id) => (await stateOf(ground, id)).waiting));
  expect(Math.max(...waiting)).toBeGreaterThan(0);

  await startServer({ ...ground.settings, ...settings, ROLE: 'worker' });
  for (const id of [first, second])
    await eventually(
      () => stateOf(ground, id),
      (state) => state.waiting === 0,
      recoveryMs,
    );
  const received: [string, string[]][] = [
    [first, receiver.received.flatMap(({ event }) => event.data.entries.map((entry: { id: string }) => entry.id))],
    [second, syslog.received.map(({ json }) => json.id)],
  ];
  for (const [id, ids] of received) {
    const logged = await loggedIds(ground, id);
    expect(logged.length).toBeGreaterThan(300);
    expect([...new Set(ids)].sort()).toEqual(logged);
  }
  expect(syslog.faults).toEqual([]);
  await receiver.stop();
  await syslog.stop();
});
