import { createHash } from 'node:crypto';
import { canonicalEmail } from '../platform/canonical-email.ts';
import { countedAddress } from '../platform/counted-address.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';

/** What can be guessed or asked for again and again, and how often in how many minutes: per address, and at whom. */
const limits = {
  password_from_ip: { tries: 60, minutes: 15 },
  passkey_from_ip: { tries: 300, minutes: 15 },
  password_of_email: { tries: 10, minutes: 15 },
  link_from_ip: { tries: 30, minutes: 60 },
  link_to_email: { tries: 5, minutes: 60 },
  link_to_recipient: { tries: 5, minutes: 60 },
  second_factor: { tries: 5, minutes: 15 },
  password_change: { tries: 10, minutes: 15 },
  connecting: { tries: 30, minutes: 15 },
  invitations: { tries: 100, minutes: 24 * 60 },
  test_email: { tries: 20, minutes: 60 },
  logo: { tries: 60, minutes: 60 },
  audit_stream_test: { tries: 30, minutes: 15 },
  custom_domain_check: { tries: 60, minutes: 15 },
  sso_test: { tries: 60, minutes: 15 },
  sso_from_ip: { tries: 100, minutes: 15 },
  sso_domain_from_ip: { tries: 120, minutes: 15 },
  link_code_from_ip: { tries: 60, minutes: 60 },
  link_code_of_link: { tries: 600, minutes: 60 },
  link_code_to_email: { tries: 5, minutes: 60 },
  link_guess_from_ip: { tries: 120, minutes: 60 },
  delegation_from_ip: { tries: 30, minutes: 60 },
  delegation_to_email: { tries: 5, minutes: 60 },
  delegation_to_phone: { tries: 5, minutes: 60 },
  comment_from_ip: { tries: 60, minutes: 60 },
  comment_of_recipient: { tries: 10, minutes: 60 },
  upload_of_recipient: { tries: 60, minutes: 60 },
  picture_of_recipient: { tries: 60, minutes: 60 },
} as const;

export type Guess = keyof typeof limits;

export class TooManyTries extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too many tries');
    this.name = 'TooManyTries';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Counts a try, before anything is compared, and commits that by itself: neither a crash nor a twin gives one more.
 * Throws `TooManyTries`. `whom` is hashed. E-mail addresses count by their canonical form, whether or not anyone has them.
 * A window from when the clock was ahead is shortened and keeps its count, so that clocks that differ a little give no more tries.
 */
export async function countTry(world: World, db: Queryable, guess: Guess, whom: string): Promise<void> {
  const { tries: max, minutes } = limits[guess];
  const now = world.clock.now();
  const [counter] = await db.query<{ tries: number; ends_at: string }>({
    name: 'count_guess',
    text: `insert into guess_counters as c (bucket, tries, ends_at) values ($1, 1, $3)
           on conflict (bucket) do update set
             tries = case when c.ends_at <= $2 then 1 else least(c.tries, 1000000) + 1 end,
             ends_at = case when c.ends_at <= $2 then $3 else least(c.ends_at, $3) end
           returning tries, ends_at`,
    values: [bucketOf(guess, whom), now, new Date(now.getTime() + minutes * 60_000)],
  });
  if (counter === undefined || counter.tries <= max) return;
  throw new TooManyTries(Math.max(1, Math.ceil((new Date(counter.ends_at).getTime() - now.getTime()) / 1000)));
}

/** After a right answer from where others may be guessing, or a code that wasn't sent: it alone does not count, unless it is the first. */
export async function takeBackTry(db: Queryable, guess: Guess, whom: string): Promise<void> {
  await db.query({
    name: 'take_back_guess',
    text: 'update guess_counters set tries = tries - 1 where bucket = $1 and tries > 1',
    values: [bucketOf(guess, whom)],
  });
}

/** After a right answer at what only the one who knows it can give. */
export async function forgetTries(db: Queryable, guess: Guess, whom: string): Promise<void> {
  await db.query({
    name: 'forget_guesses',
    text: 'delete from guess_counters where bucket = $1',
    values: [bucketOf(guess, whom)],
  });
}

function bucketOf(guess: Guess, whom: string): string {
  return `${guess}:${createHash('sha256').update(counted(guess, whom)).digest('base64url')}`;
}

function counted(guess: Guess, whom: string): string {
  if (guess.endsWith('_from_ip')) return countedAddress(whom);
  return guess.endsWith('_email') && whom.includes('@') ? canonicalEmail(whom) : whom;
}
