import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Ground, startServer } from '../support/process.ts';
import { createCompany, createSent, eventually } from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';
import { ask, count, crashAtWork, randomBetween, recoveryMs } from './outcome.ts';

/**
 * Kills the worker `crashes` times while it sends messages to a slow mail server. At the end, each has been accepted at
 * least once, and none again after its acceptance was recorded.
 */
export async function crashWhileDelivering(
  ground: Ground,
  { crashes, messages }: { crashes: number; messages: number },
) {
  const mail = await startMailServer(() => randomBetween(20, 400));
  const settings = { ...ground.settings, SMTP_URL: mail.url, MAIL_FROM: 'Acme <sign@acme.example>' };
  const addresses = await enqueueMessages(ground, settings, messages);
  /** The latest time at which each message may have been sent. After it, its acceptance was recorded. */
  const recorded = new Map<string, number>();

  for (let i = 0; i < crashes; i++) {
    await crashAtWork(ground, settings, { queue: 'deliver-message', afterMsMax: 1000 });
    // The mail server may still accept a message of the killed worker.
    await sleep(400);
    for (const address of await settled(ground)) {
      if (!recorded.has(address)) recorded.set(address, performance.now());
    }
  }
  expect(recorded.size).toBeLessThan(messages);

  await startServer({ ...settings, ROLE: 'worker' });
  await eventually(
    () => count(ground, `messages where status <> 'accepted'`),
    (owed) => owed === 0,
    recoveryMs,
  );
  expect(new Set(mail.accepted.map(({ to }) => to))).toEqual(new Set(addresses));
  const again = mail.accepted.filter(({ to, at }) => at > (recorded.get(to) ?? Number.POSITIVE_INFINITY));
  expect(again).toEqual([]);
  await mail.close();
}

async function enqueueMessages(ground: Ground, settings: Ground['settings'], messages: number): Promise<string[]> {
  const company = await createCompany(ground);
  const web = await startServer({ ...settings, ROLE: 'web' });
  const addresses = Array.from({ length: messages }, (_, i) => `reader-${i}@example.com`);
  for (const email of addresses) {
    await createSent(web, company.key, { recipients: [{ name: 'Ada Lovelace', email }] });
  }
  web.kill('SIGTERM');
  await web.ended;
  return addresses;
}

async function settled(ground: Ground): Promise<string[]> {
  const rows = await ask<{ email: string }>(
    ground,
    `select r.email from messages m join recipients r on r.id = m.recipient_id where m.status = 'accepted'`,
  );
  return rows.map(({ email }) => email);
}
