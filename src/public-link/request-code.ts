import { countTry, type Guess, TooManyTries, takeBackTry } from '../identity/guess-limit.ts';
import { readMailBrand } from '../messages/mail-brand.ts';
import { isPlausibleEmail } from '../platform/email-address.ts';
import type { DeliveryOutcome, MailSender } from '../platform/mail.ts';
import { isPlainLine } from '../platform/plain-line.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { SigningError } from '../signing/signing-error.ts';
import { type CodeHasher, drawCode } from '../signing/verification-code.ts';
import { codeMail } from './code-mail.ts';
import { LinkError } from './link-error.ts';
import type { OpenedLink } from './open-link.ts';
import { createVisit, deleteVisit, type Person } from './visit.ts';

export interface CodeDelivery {
  mail: MailSender;
  hasher: CodeHasher;
  /** Receives the outcome of each delivery, for the metrics. */
  onOutcome: (outcome: DeliveryOutcome['kind']) => void;
}

/** In Unicode code points, as for recipients of documents. */
export const nameLengthMax = 120;

/** Checks what a visitor entered. Throws `invalid_name` and `invalid_email`. A name must be one line that can be seen. */
export function readPerson(name: string, email: string): Person {
  const person = { name: name.trim(), email: email.trim() };
  if (!isPlainLine(person.name, nameLengthMax)) throw new LinkError('invalid_name');
  if (!isPlausibleEmail(person.email)) throw new LinkError('invalid_email');
  return person;
}

/**
 * Sends a code to the address that a visitor entered, and returns the token for the browser's cookie. No document is made yet.
 * Each code is counted first, and no transaction is open while the e-mail is sent. A code that can't be sent at the moment
 * doesn't count for the address and the link, except the first. Throws `not_open`, `too_many`, `link_unknown`, `code_not_sent`
 * and `mail_unavailable`.
 */
export async function requestCode(
  world: World,
  db: Database,
  { mail, hasher, onOutcome }: CodeDelivery,
  { link, name, accountName, availability }: OpenedLink,
  person: Person,
  ip: string,
): Promise<string> {
  if (availability !== 'open') throw new LinkError('not_open');
  const counted = [
    ['link_code_from_ip', ip],
    ['link_code_to_email', person.email],
    ['link_code_of_link', link.id],
  ] as const;
  for (const [guess, whom] of counted) await count(world, db, guess, whom);
  const code = drawCode(world.random);
  const token = await createVisit(world, db, hasher, link, person, code);
  if (token === null) throw new SigningError('link_unknown');
  const { look, envelope } = await readMailBrand(db, link.account_id, null);
  const outcome = await mail.send({
    id: world.newId(),
    // The name is not in this e-mail: nobody can make us send words of their own to a stranger.
    to: { name: '', address: person.email },
    ...envelope,
    ...codeMail({ language: link.language, look, accountName, linkName: name, code }),
  });
  onOutcome(outcome.kind);
  if (outcome.kind === 'accepted') return token;
  world.log.warn('a code of a public link could not be sent', { public_link_id: link.id });
  await deleteVisit(db, token);
  if (outcome.kind === 'refused') throw new LinkError('code_not_sent');
  // Tries from one IP address stay counted, because each takes a connection to the mail server.
  const others = counted.filter(([guess]) => guess !== 'link_code_from_ip');
  await Promise.all(others.map(([guess, whom]) => takeBackTry(db, guess, whom)));
  throw new LinkError('mail_unavailable');
}

/** Counts a try. Throws `too_many`. */
export async function count(world: World, db: Database, guess: Guess, whom: string): Promise<void> {
  try {
    await countTry(world, db, guess, whom);
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error;
    throw new LinkError('too_many', { retryAfterSeconds: error.retryAfterSeconds });
  }
}
