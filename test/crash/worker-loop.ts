import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { listRecipients } from '../../src/documents/queries.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { type Ground, startServer } from '../support/process.ts';
import { createCompany, createDraft, createSent, eventually } from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';
import { ask, count, crashAtWork, randomBetween, recoveryMs } from './outcome.ts';

/**
 * Kills the worker `crashes` times while it sends messages to a slow mail server. At the end, each has been accepted at
 * least once, and none again after its acceptance was recorded.
 */
export function crashWhileDelivering(ground: Ground, { crashes, messages }: { crashes: number; messages: number }) {
  return crashAtMails(ground, crashes, { table: 'messages', queue: 'deliver-message' }, (settings) =>
    enqueueMessages(ground, settings, messages),
  );
}

/** The same for notices to the sender. */
export function crashWhileNotifying(ground: Ground, { crashes, notices }: { crashes: number; notices: number }) {
  return crashAtMails(ground, crashes, { table: 'notices', queue: 'deliver-notice' }, (settings) =>
    enqueueNotices(ground, settings, notices),
  );
}

async function crashAtMails(
  ground: Ground,
  crashes: number,
  { table, queue }: { table: 'messages' | 'notices'; queue: string },
  enqueue: (settings: Ground['settings']) => Promise<void>,
): Promise<void> {
  const mail = await startMailServer(() => randomBetween(20, 400));
  const settings = { ...ground.settings, SMTP_URL: mail.url, MAIL_FROM: 'Acme <sign@acme.example>' };
  await enqueue(settings);
  const rows = await ask<{ id: string }>(ground, `select id from ${table} where status = 'pending'`);
  const wanted = new Set(rows.map(({ id }) => id));
  expect(wanted.size).toBeGreaterThan(0);
  /** The latest time at which each mail may have been sent. After it, its acceptance was recorded. */
  const recorded = new Map<string, number>();

  for (let i = 0; i < crashes; i++) {
    await crashAtWork(ground, settings, { queue, afterMsMax: 1000 });
    // The mail server may still accept a message of the killed worker.
    await sleep(400);
    for (const { id } of await ask<{ id: string }>(ground, `select id from ${table} where status = 'accepted'`)) {
      if (!recorded.has(id)) recorded.set(id, performance.now());
    }
  }
  expect(recorded.size).toBeLessThan(wanted.size);

  await startServer({ ...settings, ROLE: 'worker' });
  await eventually(
    () => count(ground, `${table} where status = 'pending'`),
    (owed) => owed === 0,
    recoveryMs,
  );
  expect(await count(ground, `${table} where status = 'accepted'`)).toBe(wanted.size);
  expect(new Set(mail.accepted.map(({ id }) => id))).toEqual(wanted);
  const again = mail.accepted.filter(({ id, at }) => at > (recorded.get(id) ?? Number.POSITIVE_INFINITY));
  expect(again).toEqual([]);
  await mail.close();
}

async function enqueueMessages(ground: Ground, settings: Ground['settings'], messages: number): Promise<void> {
  const company = await createCompany(ground);
  const web = await startServer({ ...settings, ROLE: 'web' });
  for (let i = 0; i < messages; i++) {
    await createSent(web, company.key, {
      recipients: [{ name: 'Ada Lovelace', email: `reader-${i}@example.com` }],
    });
  }
  web.kill('SIGTERM');
  await web.ended;
}

/** Sends documents in the console. Each is declined, which cancels its request and enqueues a notice to the sender. */
async function enqueueNotices(ground: Ground, settings: Ground['settings'], notices: number): Promise<void> {
  const company = await createCompany(ground);
  const sender = await addMember(ground, company.id, 'member');
  const web = await startServer({ ...settings, ROLE: 'web' });
  const { origin } = new URL(web.baseUrl);
  const visitor = await signedIn({ ...ground, ...web }, sender);
  for (let i = 0; i < notices; i++) {
    const id = await createDraft(web, company.key, {
      recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
    });
    expect((await visitor.post(`/documents/${id}/send`)).status).toBe(200);
    const [recipient] = await listRecipients(ground.db, company.id, id);
    if (recipient === undefined) throw new Error('the document has no recipient');
    const link = await mintSigningLink(ground.world, ground.db, origin, recipient);
    const declined = await fetch(`${link}/decline`, { method: 'POST', body: JSON.stringify({ reason: 'No.' }) });
    expect(declined.status).toBe(200);
  }
  web.kill('SIGTERM');
  await web.ended;
}
