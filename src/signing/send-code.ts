import { readAccountName } from '../accounts/manage-accounts.ts';
import { recipientActor } from '../actor.ts';
import type { Document } from '../documents/document.ts';
import type { Recipient } from '../documents/recipient.ts';
import { recordDirectAttempt } from '../messages/direct-message.ts';
import { verificationCodeSms } from '../messages/recipient-messages.ts';
import { dialable } from '../platform/dialable.ts';
import type { DeliveryOutcome } from '../platform/mail.ts';
import type { SmsSender } from '../platform/sms.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Visitor } from './mark-viewed.ts';
import { recordOutcome } from './record-outcome.ts';
import { SigningError } from './signing-error.ts';
import { type Access, assertAsksForCode, lockSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';
import { attemptsPerHourMax, type CodeHasher, codeMinutes, codesPerHourMax, drawCode } from './verification-code.ts';
import {
  insertCode,
  listCodesSince,
  markCodeFailed,
  nextCodeNumber,
  type StoredCode,
} from './verification-code-queries.ts';

export interface CodeDelivery {
  sms: SmsSender;
  hasher: CodeHasher;
  /** Returns the origin of the signing pages that are on no host of a company. */
  origin: () => string;
  /** Receives the outcome of each delivery, for the metrics. */
  onOutcome: (outcome: DeliveryOutcome['kind']) => void;
}

export interface CodeSent {
  state: SigningState;
  /** The code, for documents in test mode only. They send no SMS, so the page shows the code. */
  shownCode: string | null;
}

/**
 * Sends the recipient a new code, which replaces the previous one. Sends nothing if the recipient is already verified.
 *
 * The code is created and counted under the document lock. No transaction is open while the SMS is sent.
 *
 * Throws `too_many_codes` or `code_not_sent`. If the document's state needs no verification, it throws that state's error.
 */
export async function sendCode(
  world: World,
  db: Database,
  delivery: CodeDelivery,
  access: Access,
  visitor: Visitor,
): Promise<CodeSent> {
  const created = await db.transaction((tx) => createCodeFor(world, tx, delivery.hasher, access));
  if (created.kind === 'not_needed') return { state: created.state, shownCode: null };

  if (codeChannel(created.document) === 'page') {
    await db.transaction((tx) => recordSent(world, tx, created, visitor));
    return { state: created.state, shownCode: created.code };
  }
  const outcome = await sendSms(world, db, delivery, created, access.origin);
  if (outcome.kind !== 'accepted') {
    await db.transaction((tx) => recordNotSent(world, tx, created, outcome.reason));
    throw new SigningError('code_not_sent');
  }
  await db.transaction((tx) => recordSent(world, tx, created, visitor));
  return { state: created.state, shownCode: null };
}

interface DrawnCode {
  kind: 'drawn';
  state: SigningState;
  document: Document;
  recipient: Recipient;
  number: number;
  code: string;
}

async function createCodeFor(
  world: World,
  tx: Tx,
  hasher: CodeHasher,
  access: Access,
): Promise<DrawnCode | { kind: 'not_needed'; state: SigningState }> {
  const session = await lockSession(world, tx, access);
  const { document, recipient, state } = session;
  if (!session.needs.code) return { kind: 'not_needed', state };
  assertAsksForCode(session);

  const now = world.clock.now();
  assertMaySend(await listCodesSince(tx, recipient.id, new Date(now.getTime() - hourMs)), now);
  const number = await nextCodeNumber(tx, recipient.id);
  const code = drawCode(world.random);
  await insertCode(tx, {
    recipientId: recipient.id,
    number,
    hmac: hasher.hash(recipient.id, number, code),
    createdAt: now,
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000),
  });
  return { kind: 'drawn', state, document, recipient, number, code };
}

const hourMs = 3_600_000;

/** Throws `too_many_codes` if the hourly limit is reached. `codes` are those of the last hour, newest first. */
function assertMaySend(codes: readonly StoredCode[], now: Date): void {
  const sent = codes.filter((code) => code.failed_at === null);
  const blocking = sent[codesPerHourMax - 1] ?? codes[attemptsPerHourMax - 1];
  if (blocking === undefined) return;
  const freeAt = new Date(blocking.created_at).getTime() + hourMs;
  throw new SigningError('too_many_codes', { retryAfterSeconds: Math.ceil((freeAt - now.getTime()) / 1000) });
}

async function sendSms(
  world: World,
  db: Database,
  delivery: CodeDelivery,
  { document, recipient, code }: DrawnCode,
  origin: string,
): Promise<DeliveryOutcome> {
  const message = verificationCodeSms({
    language: document.primary_language,
    accountName: await readAccountName(db, document.account_id),
    code,
    host: new URL(origin).hostname,
  });
  const id = world.newId();
  const outcome = await delivery.sms.send({ id, to: recipient.phone ?? '', ...message });
  delivery.onOutcome(outcome.kind);
  const { account_id: accountId, id: documentId } = document;
  const sent = { id, accountId, documentId, recipient, kind: 'verification_code', channel: 'sms' } as const;
  await recordDirectAttempt(world, db, { ...sent, address: recipient.phone }, outcome, true).catch((error) =>
    // The code is on its way, so the recipient is not told that it failed.
    world.log.warn('a code is not in the message log', { document_id: documentId, cause: error }),
  );
  return outcome;
}

async function recordSent(world: World, tx: Tx, drawn: DrawnCode, visitor: Visitor): Promise<void> {
  const { recipient, document } = drawn;
  await recordOutcome(world, tx, drawn, {
    actor: recipientActor(recipient.id),
    action: 'code_sent',
    detail: {
      name: recipient.display_name,
      channel: codeChannel(document),
      number_ending: phoneEnding(recipient),
      ip: visitor.ip,
      user_agent: visitor.userAgent,
    },
  });
}

async function recordNotSent(world: World, tx: Tx, drawn: DrawnCode, reason: string): Promise<void> {
  const { recipient, number } = drawn;
  world.log.warn('a verification code could not be sent', { recipient_id: recipient.id });
  await recordOutcome(world, tx, drawn, {
    actor: 'service',
    action: 'delivery_failed',
    detail: { recipient_id: recipient.id, channel: 'sms', kind: 'verification_code', reason },
  });
  await markCodeFailed(tx, recipient.id, number, world.clock.now());
}

/** A document sent with a test key never sends an SMS: its page shows the code, so that integrators can test. */
export function codeChannel(document: Pick<Document, 'sent_mode'>): 'sms' | 'page' {
  return document.sent_mode === 'test' ? 'page' : 'sms';
}

/** Returns the last two digits of the recipient's phone number, enough to recognize one's own number. */
export function phoneEnding({ phone }: Pick<Recipient, 'phone'>): string {
  return dialable(phone ?? '')
    .replace('+', '')
    .slice(-2);
}
