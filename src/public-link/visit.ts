import { createHash } from 'node:crypto';
import { isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { type CodeHasher, codeMinutes } from '../signing/verification-code.ts';
import type { PublicLink } from './public-link.ts';

/** Someone who entered their name and address. Only the SHA-256 of the token in their cookie is stored. */
export interface Visit {
  /** Null once the document is made. */
  name: string | null;
  email: string | null;
  document_id: string | null;
}

export interface Person {
  name: string;
  email: string;
}

const triesMax = 5;

/** Stores a visit with its code, and returns the token for the browser's cookie. Null: the link was deleted meanwhile. */
export async function createVisit(
  world: World,
  db: Queryable,
  hasher: CodeHasher,
  { account_id, id }: PublicLink,
  { name, email }: Person,
  code: string,
): Promise<string | null> {
  const token = world.random.bytes(32).toString('base64url');
  const created = await db.query({
    name: 'create_public_link_visit',
    text: `insert into public_link_visits (token_hash, account_id, link_id, name, email, code_hmac, expires_at)
           select $1, account_id, id, $4, $5, $6, $7 from public_links where account_id = $2 and id = $3
           for key share returning 1`,
    values: [
      hashToken(token),
      account_id,
      id,
      name,
      email,
      hashCode(hasher, token, code),
      new Date(world.clock.now().getTime() + codeMinutes * 60_000),
    ],
  });
  return created.length === 0 ? null : token;
}

/** Finds the visit of a browser, also after its code has expired. */
export async function findVisit(db: Queryable, link: PublicLink, token: string): Promise<Visit | null> {
  const rows = await db.query<Visit>({
    name: 'find_public_link_visit',
    text: `select name, email, document_id from public_link_visits
           where token_hash = $1 and account_id = $2 and link_id = $3`,
    values: [hashToken(token), link.account_id, link.id],
  });
  return rows[0] ?? null;
}

/** Locks a visit. The caller holds the link's lock. */
export async function lockVisit(tx: Tx, link: PublicLink, token: string): Promise<Visit | null> {
  const rows = await tx.query<Visit>({
    name: 'lock_public_link_visit',
    text: `select name, email, document_id from public_link_visits
           where token_hash = $1 and account_id = $2 and link_id = $3 for update`,
    values: [hashToken(token), link.account_id, link.id],
  });
  return rows[0] ?? null;
}

/**
 * Counts a try at the code and commits it, before anything is compared. Returns whether the code is right. A code that
 * expired or was tried five times is wrong. `code`: null for what can't be one, which counts as no try.
 */
export async function tryCode(
  world: World,
  db: Queryable,
  hasher: CodeHasher,
  link: PublicLink,
  token: string,
  code: string | null,
): Promise<boolean> {
  if (code === null) return false;
  const [counted] = await db.query<{ code_hmac: Buffer }>({
    name: 'count_public_link_try',
    text: `update public_link_visits set tries = tries + 1
           where token_hash = $1 and account_id = $2 and link_id = $3 and expires_at > $4 and tries < $5
           returning code_hmac`,
    values: [hashToken(token), link.account_id, link.id, world.clock.now(), triesMax],
  });
  if (counted === undefined) return false;
  const isRight = hasher.matches(counted.code_hmac, subjectOf(token), 1, code);
  if (!isRight) await countWrongTry(db, token);
  return isRight;
}

/** The certificate tells of these alone: a right code may be tried again, such as after a double tap. */
async function countWrongTry(db: Queryable, token: string): Promise<void> {
  await db.query({
    name: 'count_wrong_public_link_try',
    text: 'update public_link_visits set wrong_tries = wrong_tries + 1 where token_hash = $1',
    values: [hashToken(token)],
  });
}

/**
 * Returns how many wrong codes were entered for an address at a link, whatever browser asked for them, and counts them no more.
 * Expired visits are removed after a day.
 */
export async function takeWrongTries(tx: Tx, link: PublicLink, email: string): Promise<number> {
  const tried = await tx.query<{ token_hash: Buffer; email: string; wrong_tries: number }>({
    name: 'wrong_public_link_tries',
    text: `select token_hash, email, wrong_tries from public_link_visits
           where account_id = $1 and link_id = $2 and document_id is null and wrong_tries > 0
           order by token_hash for update`,
    values: [link.account_id, link.id],
  });
  const own = tried.filter((visit) => isSameEmail(visit.email, email));
  await tx.query({
    name: 'take_wrong_public_link_tries',
    text: 'update public_link_visits set wrong_tries = 0 where token_hash = any ($1::bytea[])',
    values: [own.map(({ token_hash }) => token_hash)],
  });
  return own.reduce((sum, { wrong_tries }) => sum + wrong_tries, 0);
}

/** Records which document a visit led to, and forgets who it was: the document has that. */
export async function endVisit(tx: Tx, token: string, documentId: string): Promise<void> {
  await tx.query({
    name: 'end_public_link_visit',
    text: `update public_link_visits set document_id = $2, name = null, email = null where token_hash = $1`,
    values: [hashToken(token), documentId],
  });
}

/** Ends a visit that led to no document. Its code no longer works. Wrong codes still count for the address. */
export async function retireVisit(db: Queryable, token: string): Promise<void> {
  const deleted = await db.query({
    name: 'delete_untried_public_link_visit',
    text: 'delete from public_link_visits where token_hash = $1 and document_id is null and tries = 0 returning 1',
    values: [hashToken(token)],
  });
  if (deleted.length > 0) return;
  await db.query({
    name: 'retire_public_link_visit',
    text: 'update public_link_visits set tries = $2 where token_hash = $1 and document_id is null',
    values: [hashToken(token), triesMax],
  });
}

/** Deletes a visit that led to no document. */
export async function deleteVisit(db: Queryable, token: string): Promise<void> {
  await db.query({
    name: 'delete_public_link_visit',
    text: 'delete from public_link_visits where token_hash = $1 and document_id is null',
    values: [hashToken(token)],
  });
}

function hashCode(hasher: CodeHasher, token: string, code: string): Buffer {
  return hasher.hash(subjectOf(token), 1, code);
}

/** What a code belongs to. Recipients have codes too, so the hash names what kind this is. */
function subjectOf(token: string): string {
  return `visit ${hashToken(token).toString('hex')}`;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
