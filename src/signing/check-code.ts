import { createHash } from 'node:crypto';
import { recipientActor } from '../actor.ts';
import { type AuditAction, appendAudit } from '../documents/audit.ts';
import type { World } from '../platform/world.ts';
import type { Transactional, Tx } from '../postgres/database.ts';
import type { Visitor } from './mark-viewed.ts';
import { codeChannel, phoneEnding } from './send-code.ts';
import { SigningError } from './signing-error.ts';
import { type Access, assertAsksForCode, lockSession, type SigningSession } from './signing-session.ts';
import { type SigningState, signingStateOf } from './signing-state.ts';
import { openVerification } from './verification.ts';
import type { CodeHasher } from './verification-code.ts';
import { countTry, findCodeUsedBy, useCode } from './verification-code-queries.ts';

export interface EnteredCode {
  /** Null if what was entered can't be a code. */
  digits: string | null;
  /** The random name of the page that it was entered in. Null for a page that has none. */
  page: string | null;
}

/** How long a page may repeat its code, because an answer can be lost. */
const repeatMs = 120_000;

export interface Verified {
  state: SigningState;
  /** The verification of this browser, for its cookie. Null when it had one. */
  verification: { recipientId: string; token: string } | null;
}

/**
 * Checks a verification code and opens the document to this browser if it is the newest one. For two minutes the same page
 * may repeat its code, because an answer can be lost on the way.
 *
 * The attempt is counted and committed before the comparison, so a crash or a concurrent request gains no extra attempt.
 *
 * Throws `invalid_code` for any wrong code. If the document's state needs no verification, it throws that state's error.
 */
export async function checkCode(
  world: World,
  db: Transactional,
  hasher: CodeHasher,
  access: Access,
  entered: EnteredCode,
  visitor: Visitor,
): Promise<Verified> {
  const attempt = await db.transaction((tx) => beginTry(world, tx, hasher, access, entered));
  if (attempt.kind === 'answered') return attempt.verified;
  if (attempt.kind === 'hopeless') throw new SigningError('invalid_code');

  const { recipientId, number, hmac, tries, digits } = attempt;
  if (!hasher.matches(hmac, recipientId, number, digits)) {
    await db.transaction((tx) => recordFailedTry(world, tx, access, tries, visitor));
    throw new SigningError('invalid_code');
  }
  return db.transaction((tx) => open(world, tx, hasher, access, number, entered, visitor));
}

type Attempt =
  | { kind: 'answered'; verified: Verified }
  | { kind: 'hopeless' }
  | { kind: 'counted'; recipientId: string; number: number; hmac: Buffer; tries: number; digits: string };

async function beginTry(
  world: World,
  tx: Tx,
  hasher: CodeHasher,
  access: Access,
  entered: EnteredCode,
): Promise<Attempt> {
  const session = await lockSession(world, tx, access);
  if (!session.needs.code) return { kind: 'answered', verified: { state: session.state, verification: null } };
  assertAsksForCode(session);
  const { digits } = entered;
  if (digits === null) return { kind: 'hopeless' };
  const verified = await openAgain(world, tx, hasher, session, entered);
  if (verified !== null) return { kind: 'answered', verified };
  const recipientId = session.recipient.id;
  const tried = await countTry(tx, recipientId, world.clock.now());
  if (tried === null) return { kind: 'hopeless' };
  return { kind: 'counted', recipientId, number: tried.number, hmac: tried.code_hmac, tries: tried.tries, digits };
}

async function recordFailedTry(world: World, tx: Tx, access: Access, tries: number, visitor: Visitor): Promise<void> {
  await record(
    world,
    tx,
    await lockSession(world, tx, access),
    'verification_failed',
    { failed_tries: tries },
    visitor,
  );
}

async function open(
  world: World,
  tx: Tx,
  hasher: CodeHasher,
  access: Access,
  number: number,
  entered: EnteredCode,
  visitor: Visitor,
): Promise<Verified> {
  const session = await lockSession(world, tx, access);
  const { document, recipient } = session;
  assertAsksForCode(session); // checked again: the document may have ended since the attempt began
  const page = entered.page === null ? null : hashPage(entered.page);
  if (!(await useCode(tx, recipient.id, number, page, world.clock.now()))) {
    const verified = await openAgain(world, tx, hasher, session, entered);
    if (verified === null) throw new SigningError('invalid_code');
    return verified;
  }
  const detail = { channel: codeChannel(document), number_ending: phoneEnding(recipient) };
  const [verified] = await Promise.all([
    openTo(world, tx, session),
    record(world, tx, session, 'verified', detail, visitor),
  ]);
  return verified;
}

/** Opens the document to the page that has just used this code. Null if it hasn't. */
async function openAgain(
  world: World,
  tx: Tx,
  hasher: CodeHasher,
  session: SigningSession,
  { digits, page }: EnteredCode,
): Promise<Verified | null> {
  if (digits === null || page === null) return null;
  const { id } = session.recipient;
  const used = await findCodeUsedBy(tx, id, hashPage(page), new Date(world.clock.now().getTime() - repeatMs));
  if (used === null || !hasher.matches(used.code_hmac, id, used.number, digits)) return null;
  return openTo(world, tx, session);
}

/** Opens the document to this browser. */
async function openTo(world: World, tx: Tx, session: SigningSession): Promise<Verified> {
  const { document, recipients, recipient, needs } = session;
  return {
    state: signingStateOf(document, recipients, recipient, { ...needs, code: false }, world.clock.now()),
    verification: { recipientId: recipient.id, token: await openVerification(world, tx, recipient.id) },
  };
}

function hashPage(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

async function record(
  world: World,
  tx: Tx,
  { document, recipient }: SigningSession,
  action: AuditAction,
  detail: Record<string, unknown>,
  visitor: Visitor,
): Promise<void> {
  await appendAudit(tx, document, [
    {
      at: world.clock.now().toISOString(),
      actor: recipientActor(recipient.id),
      action,
      detail: { name: recipient.display_name, ...detail, ip: visitor.ip, user_agent: visitor.userAgent },
    },
  ]);
}
