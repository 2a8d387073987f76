import { listMemberships } from '../accounts/members.ts';
import type { JobQueue, NewBrowserJob } from '../messages/job-queue.ts';
import type { Language } from '../platform/language.ts';
import type { MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { browserName } from './browser-name.ts';
import { findPerson, type Person } from './people.ts';
import type { Origin } from './sessions.ts';
import { signInMail } from './sign-in-mail.ts';

/** Enqueues the e-mail in the transaction of the sign-in, which then doesn't wait for the mail server. */
export async function enqueueNewBrowserNotice(
  world: World,
  tx: Tx,
  queue: JobQueue,
  person: Person,
  from: Origin,
  language: Language,
): Promise<void> {
  const at = world.clock.now().toISOString();
  const browser = browserName(from.userAgent);
  const job = { messageId: world.newId(), personId: person.id, browser, ip: from.ip, at, language };
  await queue.enqueue(tx, [{ name: 'notify-new-browser', ...job }]);
}

/** Sends the e-mail, to members only. Throws if the mail server is unavailable, so that the queue tries again. */
export async function notifyNewBrowser(
  db: Queryable,
  mail: MailSender,
  origin: string,
  job: NewBrowserJob,
): Promise<void> {
  const person = await findPerson(db, job.personId);
  if (person === null || (await listMemberships(db, person.email)).length === 0) return;
  const { browser, ip, at } = job;
  const message = signInMail(job.language, { kind: 'new_browser', browser, ip, at }, `${origin}/account`);
  const outcome = await mail.send({ id: job.messageId, to: { name: '', address: person.email }, ...message });
  if (outcome.kind === 'unavailable') throw new Error(`a sign-in notice could not be sent yet: ${outcome.reason}`);
}
