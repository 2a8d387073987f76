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
import { countTry, useCode } from './verification-code-queries.ts';

export interface Verified {
  state: SigningState;
  /** The verification of this browser, for its cookie. Null when it had one. */
  verification: { recipientId: string; token: string } | null;
}

/**
 * Checks a verification code and opens the document to this browser if it is the newest one. A malformed code is null.
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
  code: string | null,
  visitor: Visitor,
): Promise<Verified> {
  const attempt = await db.transaction((tx) => beginTry(world, tx, access, code));
  if (attempt.kind === 'needless') return { state: attempt.state, verification: null };
  if (attempt.kind === 'hopeless') throw new SigningError('invalid_code');

  const { recipientId, number, hmac, tries } = attempt;
  if (!hasher.matches(hmac, recipientId, number, attempt.code)) {
    await db.transaction((tx) => recordFailedTry(world, tx, access, tries, visitor));
    throw new SigningError('invalid_code');
  }
  return db.transaction((tx) => open(world, tx, access, number, visitor));
}

type Attempt =
  | { kind: 'needless'; state: SigningState }
  | { kind: 'hopeless' }
  | { kind: 'counted'; recipientId: string; number: number; hmac: Buffer; tries: number; code: string };

async function beginTry(world: World, tx: Tx, access: Access, code: string | null): Promise<Attempt> {
  const session = await lockSession(world, tx, access);
  if (!session.isLocked) return { kind: 'needless', state: session.state };
  assertAsksForCode(session);
  const recipientId = session.recipient.id;
  const tried = code === null ? null : await countTry(tx, recipientId, world.clock.now());
  if (code === null || tried === null) return { kind: 'hopeless' };
  return { kind: 'counted', recipientId, number: tried.number, hmac: tried.code_hmac, tries: tried.tries, code };
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

async function open(world: World, tx: Tx, access: Access, number: number, visitor: Visitor): Promise<Verified> {
  const session = await lockSession(world, tx, access);
  const { document, recipients, recipient } = session;
  assertAsksForCode(session); // checked again: the document may have ended since the attempt began
  const now = world.clock.now();
  if (!(await useCode(tx, recipient.id, number, now))) throw new SigningError('invalid_code');
  const [token] = await Promise.all([
    openVerification(world, tx, recipient.id),
    record(
      world,
      tx,
      session,
      'verified',
      { channel: codeChannel(document), number_ending: phoneEnding(recipient) },
      visitor,
    ),
  ]);
  return {
    state: signingStateOf(document, recipients, recipient, { ...session.needs, code: false }, now),
    verification: { recipientId: recipient.id, token },
  };
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
