import { readAccountName } from '../accounts/manage-accounts.ts';
import { type AuditEntry, appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { dialable } from '../world/dialable.ts';
import type { DeliveryOutcome } from '../world/mail.ts';
import type { SmsSender } from '../world/sms.ts';
import type { World } from '../world/world.ts';
import type { Visitor } from './mark-viewed.ts';
import { verificationCodeSms } from './messages.ts';
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
  /** Whose codes they are, as telephones match them with the page: `https://sign.example.com`. */
  origin: () => string;
  /** Told of every hand-over, for the metrics. */
  onOutcome: (outcome: DeliveryOutcome['kind']) => void;
}

export interface CodeSent {
  state: SigningState;
  /** Only of a document in test mode, for which no SMS leaves: the page shows it. */
  shownCode: string | null;
}

/**
 * Sends the reader a new code, which takes the place of the one before. Drawn and counted under the lock, handed over
 * with no transaction open, recorded. Throws `too_many_codes`, `code_not_sent`, and the refusal of a state in which
 * there is nothing to verify for; a reader who is verified already gets none.
 */
export async function sendCode(
  world: World,
  db: Database,
  delivery: CodeDelivery,
  access: Access,
  visitor: Visitor,
): Promise<CodeSent> {
  const wish = await db.transaction((tx) => drawFor(world, tx, delivery.hasher, access));
  if (wish.kind === 'needless') return { state: wish.state, shownCode: null };

  if (codeChannel(wish.document) === 'page') {
    await db.transaction((tx) => recordSent(world, tx, wish, visitor));
    return { state: wish.state, shownCode: wish.code };
  }
  const outcome = await handOver(world, db, delivery, wish);
  if (outcome.kind !== 'accepted') {
    await db.transaction((tx) => recordNotSent(world, tx, wish, outcome.reason));
    throw new SigningError('code_not_sent');
  }
  await db.transaction((tx) => recordSent(world, tx, wish, visitor));
  return { state: wish.state, shownCode: null };
}

interface DrawnCode {
  kind: 'drawn';
  state: SigningState;
  document: Document;
  reader: Recipient;
  number: number;
  code: string;
}

async function drawFor(
  world: World,
  tx: Tx,
  hasher: CodeHasher,
  access: Access,
): Promise<DrawnCode | { kind: 'needless'; state: SigningState }> {
  const session = await lockSession(world, tx, access);
  const { document, reader, state } = session;
  if (!session.isLocked) return { kind: 'needless', state };
  assertAsksForCode(session);

  const now = world.clock.now();
  assertMaySend(await listCodesSince(tx, reader.id, new Date(now.getTime() - hourMs)), now);
  const number = await nextCodeNumber(tx, reader.id);
  const code = drawCode(world.random);
  await insertCode(tx, {
    recipientId: reader.id,
    number,
    hmac: hasher.hash(reader.id, number, code),
    createdAt: now,
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000),
  });
  return { kind: 'drawn', state, document, reader, number, code };
}

const hourMs = 3_600_000;

/** `codes` of the last hour, the newest first. The place of the fifth is free an hour after it was drawn. */
function assertMaySend(codes: readonly StoredCode[], now: Date): void {
  const sent = codes.filter((code) => code.failed_at === null);
  const inTheWay = sent[codesPerHourMax - 1] ?? codes[attemptsPerHourMax - 1];
  if (inTheWay === undefined) return;
  const freeAt = new Date(inTheWay.created_at).getTime() + hourMs;
  throw new SigningError('too_many_codes', { retryAfterSeconds: Math.ceil((freeAt - now.getTime()) / 1000) });
}

async function handOver(
  world: World,
  db: Database,
  delivery: CodeDelivery,
  { document, reader, code }: DrawnCode,
): Promise<DeliveryOutcome> {
  const message = verificationCodeSms({
    language: document.primary_language,
    accountName: await readAccountName(db, document.account_id),
    code,
    host: new URL(delivery.origin()).hostname,
  });
  const outcome = await delivery.sms.send({ id: world.newId(), to: reader.phone ?? '', ...message });
  delivery.onOutcome(outcome.kind);
  return outcome;
}

async function recordSent(world: World, tx: Tx, drawn: DrawnCode, visitor: Visitor): Promise<void> {
  const { reader, document } = drawn;
  await record(world, tx, drawn, {
    actor: `recipient:${reader.id}`,
    action: 'code_sent',
    detail: {
      name: reader.display_name,
      channel: codeChannel(document),
      number_ending: phoneEnding(reader),
      ip: visitor.ip,
      user_agent: visitor.userAgent,
    },
  });
}

async function recordNotSent(world: World, tx: Tx, drawn: DrawnCode, reason: string): Promise<void> {
  const { reader, number } = drawn;
  world.log.warn('a verification code could not be sent', { recipient_id: reader.id });
  await record(world, tx, drawn, {
    actor: 'service',
    action: 'delivery_failed',
    detail: { recipient_id: reader.id, channel: 'sms', kind: 'verification_code', reason },
  });
  await markCodeFailed(tx, reader.id, number, world.clock.now());
}

/** Whatever became of the document meanwhile: the message did leave, or did not. */
async function record(
  world: World,
  tx: Tx,
  { document: { account_id, id } }: DrawnCode,
  entry: Pick<AuditEntry, 'actor' | 'action' | 'detail'>,
): Promise<void> {
  const document = await lockDocument(tx, account_id, id, 'all');
  if (document === null) throw new Error(`document ${id} is gone`);
  await appendAudit(tx, document, [{ at: world.clock.now().toISOString(), ...entry }]);
}

/** A document sent with a test key never sends an SMS: its page shows the code, so that the way can be tried. */
export function codeChannel(document: Pick<Document, 'sent_mode'>): 'sms' | 'page' {
  return document.sent_mode === 'test' ? 'page' : 'sms';
}

/** The last two digits of the number a code goes to: enough to know one's own by. */
export function phoneEnding({ phone }: Pick<Recipient, 'phone'>): string {
  return dialable(phone ?? '')
    .replace('+', '')
    .slice(-2);
}
