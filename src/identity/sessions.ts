import { canonicalEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { SignInStage } from './session-cookie.ts';
import { drawToken, hashToken } from './token.ts';

/** `sso`: the provider of a company vouched for the person. */
export type SignInMethod = 'password' | 'link' | 'passkey' | 'sso';

/** One browser that a person is signed in with. */
export interface Session {
  id: string;
  person_id: string;
  account_id: string | null;
  method: SignInMethod;
  ip: string;
  user_agent: string | null;
  signed_in_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  /** When the person last proved who they are: by signing in, or later when asked again. */
  confirmed_at: Timestamp;
  /**
   * The company whose provider vouched for the person. The session opens this company only, and changes nothing of the person.
   * Null: the person signed in with proofs of their own.
   */
  only_account_id: string | null;
}

/** From where somebody signs in. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}

const columns = `id, person_id, account_id, method, ip, user_agent, signed_in_at, last_seen_at, expires_at,
  coalesce(confirmed_at, signed_in_at) as confirmed_at, only_account_id`;

/** A session ends after this much, whatever is done in it; one that nobody uses, earlier. */
export const sessionSecondsMax: Record<SignInStage, number> = { open: 7 * 86_400, second_factor: 600 };
const idleMs = 12 * 3_600_000;
/** No need to write on every request. */
const seenAgainMs = 60_000;

interface OpenedSession {
  personId: string;
  accountId: string | null;
  stage: SignInStage;
  method: SignInMethod;
  from: Origin;
  /** Of the known browser. Null: it is not recorded before the sign-in is complete. */
  browserHash: Buffer | null;
  /** How long ago the person proved who they are. */
  confirmedSecondsAgo: number;
}

/** Returns the token for the browser's cookie: drawn here, never taken from a browser. */
export async function openSession(world: World, tx: Tx, opened: OpenedSession): Promise<string> {
  const token = drawToken(world.random);
  const now = world.clock.now();
  await tx.query({
    name: 'open_session',
    text: `insert into sessions (id, token_hash, person_id, account_id, stage, method, ip, user_agent,
             signed_in_at, last_seen_at, expires_at, browser_hash, confirmed_at, only_account_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13)`,
    values: [
      world.newId(),
      hashToken(token),
      opened.personId,
      opened.accountId,
      opened.stage,
      opened.method,
      opened.from.ip,
      opened.from.userAgent,
      now,
      new Date(now.getTime() + sessionSecondsMax[opened.stage] * 1000),
      opened.browserHash,
      new Date(now.getTime() - opened.confirmedSecondsAgo * 1000),
      opened.method === 'sso' ? opened.accountId : null,
    ],
  });
  return token;
}

export async function findSession(
  world: World,
  db: Queryable,
  token: string,
  stage: SignInStage = 'open',
): Promise<Session | null> {
  const now = world.clock.now();
  const rows = await db.query<Session>({
    name: 'find_session',
    text: `select ${columns} from sessions
           where token_hash = $1 and stage = $2 and expires_at > $3 and last_seen_at > $4`,
    values: [hashToken(token), stage, now, new Date(now.getTime() - idleMs)],
  });
  return rows[0] ?? null;
}

/** Records that a session is in use. Its idle time starts again. */
export async function keepSession(world: World, db: Queryable, session: Session): Promise<void> {
  const now = world.clock.now();
  if (now.getTime() - new Date(session.last_seen_at).getTime() < seenAgainMs) return;
  await db.query({
    name: 'keep_session',
    text: 'update sessions set last_seen_at = $2 where id = $1',
    values: [session.id, now],
  });
}

/** The person has just proved who they are, once more. */
export async function confirmSession(world: World, db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'confirm_session',
    text: 'update sessions set confirmed_at = $2 where id = $1',
    values: [id, world.clock.now()],
  });
}

/**
 * Whether a browser is signed in with this e-mail address: what `l0_account_session` asks of a recipient. What the provider of a
 * company says proves nothing to other companies.
 */
export async function isSignedInAs(world: World, db: Queryable, token: string, email: string): Promise<boolean> {
  const session = await findSession(world, db, token);
  if (session === null || session.only_account_id !== null) return false;
  const rows = await db.query({
    name: 'is_address_of_person',
    text: 'select 1 from people where id = $1 and canonical_email = $2',
    values: [session.person_id, canonicalEmail(email)],
  });
  return rows.length === 1;
}

const sessionsListedMax = 100;

/** Those that are signed in, the newest first. `onlyAccountId`: those that the provider of this company opened. */
export async function listSessions(
  world: World,
  db: Queryable,
  personId: string,
  onlyAccountId: string | null = null,
): Promise<Session[]> {
  const now = world.clock.now();
  return db.query<Session>({
    name: 'list_sessions',
    text: `select ${columns} from sessions
           where person_id = $1 and stage = 'open' and expires_at > $2 and last_seen_at > $3
             and ($5::uuid is null or only_account_id = $5)
           order by id desc limit $4`,
    values: [personId, now, new Date(now.getTime() - idleMs), sessionsListedMax, onlyAccountId],
  });
}

export async function workIn(db: Queryable, sessionId: string, accountId: string): Promise<void> {
  await db.query({
    name: 'work_in_account',
    text: 'update sessions set account_id = $2 where id = $1',
    values: [sessionId, accountId],
  });
}

/** Works in another company than the session's, which it no longer opens, or has none. False: another request has chosen one. */
export async function workInInstead(
  db: Queryable,
  { id, account_id: closedId }: Pick<Session, 'id' | 'account_id'>,
  accountId: string,
): Promise<boolean> {
  const changed = await db.query({
    name: 'work_in_account_instead',
    text: 'update sessions set account_id = $3 where id = $1 and account_id is not distinct from $2 returning 1',
    values: [id, closedId, accountId],
  });
  return changed.length > 0;
}
