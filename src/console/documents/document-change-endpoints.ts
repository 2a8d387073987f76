import { type Static, Type } from 'typebox';
import { appendAudit } from '../../documents/audit.ts';
import { canBeVoided, type Document, isUnsent } from '../../documents/document.ts';
import { reassignRecipient } from '../../documents/reassign-recipient.ts';
import type { Recipient } from '../../documents/recipient.ts';
import { remindDocument } from '../../documents/remind-document.ts';
import { cancelSchedule, isScheduleTime, scheduleSend } from '../../documents/schedule-send.ts';
import { sendDocument } from '../../documents/send-document.ts';
import { voidDocument, voidReasonLengthMax } from '../../documents/void-document.ts';
import { endSessionOf } from '../../identity/end-sessions.ts';
import { expiredSessionCookie, readSessionCookie } from '../../identity/session-cookie.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { mintSigningLink } from '../../signing/signing-link.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { utcTime } from '../core/read-filter.ts';
import { actorOf, change } from './change-document.ts';
import { assertEditable, findRecipient, lockOwnDocument } from './own-document.ts';
import { recipientActions } from './recipient-view.ts';

const reason = Type.String({ minLength: 1, maxLength: voidReasonLengthMax * 2, pattern: '\\S' });
/** `holder`: of the person whom the caller has seen. Someone who replaced them since is not replaced. */
const reassigned = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 240 }),
  email: Type.Optional(Type.String({ maxLength: 510 })),
  phone: Type.Optional(Type.String({ maxLength: 80 })),
  holder: Type.Optional(Type.Integer()),
});
/** The version of the document that the sender has seen. */
const seen = Type.Object({ version: Type.Optional(Type.Integer()) });
/** `send_at`: in UTC, such as `2026-03-01T09:30:00Z`. */
const scheduled = Type.Object({
  version: Type.Integer(),
  send_at: Type.String({ maxLength: 30, pattern: utcTime.source }),
});
/** `status`: what the caller has seen. A document that was completed since is not voided. */
const voided = Type.Object({ reason, status: Type.Optional(Type.String({ maxLength: 40 })) });
const handOver = Type.Object({ sign_out: Type.Boolean() });

/** Actions of members on a document. They use the same functions as the API and answer with the changed document. */
export const documentChangeEndpoints = [
  forMembers('POST /documents/:id/send', 'member', { body: seen }, send),
  forMembers('POST /documents/:id/schedule', 'member', { body: scheduled }, schedule),
  forMembers('DELETE /documents/:id/schedule', 'member', {}, (deps, call) =>
    change(deps, call, async (tx, document) => {
      assertEditable(call, document);
      await cancelSchedule(deps.world, tx, document, actorOf(call));
    }),
  ),
  forMembers('POST /documents/:id/remind', 'member', {}, (deps, call) =>
    change(deps, call, (tx, document) => remindDocument(deps.world, tx, deps.queue, document, actorOf(call))),
  ),
  forMembers('POST /documents/:id/void', 'member', { body: voided }, (deps, call) =>
    change(deps, call, async (tx, document) => {
      assertEditable(call, document);
      if (!canBeVoided(document)) throw new ConsoleError('refused');
      const { status = document.status } = call.body;
      if (document.status === 'completed' && status !== 'completed') throw new ConsoleError('changed_meanwhile');
      await voidDocument(deps.world, tx, deps.queue, document, actorOf(call), call.body.reason);
    }),
  ),
  forMembers('POST /documents/:id/recipients/:recipient/reassign', 'member', { body: reassigned }, (deps, call) =>
    change(deps, call, async (tx, document) => {
      const recipient = await findRecipient(tx, call, document);
      const { holder, ...to } = call.body;
      const isSeen = holder === recipient.holder && recipientActions(document, recipient, null).includes('reassign');
      if (holder !== undefined && !isSeen) throw new ConsoleError('changed_meanwhile');
      await reassignRecipient(deps.world, tx, deps.queue, document, recipient.id, to, actorOf(call));
    }),
  ),
  forMembers('POST /documents/:id/recipients/:recipient/remind', 'member', {}, (deps, call) =>
    change(deps, call, async (tx, document) => {
      const { id } = await findRecipient(tx, call, document);
      await remindDocument(deps.world, tx, deps.queue, document, actorOf(call), id);
    }),
  ),
  forMembers('POST /documents/:id/recipients/:recipient/in-person', 'member', { body: handOver }, openInPerson),
  forMembers('POST /documents/:id/recipients/:recipient/sign', 'member', { needsOwnSignIn: true }, openForSelf),
];

/** Sends a document in live mode. Throws `changed_meanwhile` if it is not the version that was seen. */
function send({ world, queue, ...deps }: ConsoleDeps, call: MemberCall<Static<typeof seen>>) {
  return change({ world, queue, ...deps }, call, async (tx, document) => {
    if (document.is_template) throw new ConsoleError('document_not_sendable');
    assertEditable(call, document);
    const { version } = call.body;
    const isChanged = version !== undefined && version !== document.audit_seq;
    if (isChanged && document.sent_at === null) throw new ConsoleError('changed_meanwhile');
    const sender = { accountId: document.account_id, actor: actorOf(call), sees: 'all', mode: 'live' } as const;
    Object.assign(document, await sendDocument(world, tx, queue, sender, document.id));
  });
}

/**
 * Schedules a document, or changes its time. It is sent in the name of the caller. A request that is repeated because its answer was
 * lost changes nothing. Throws `changed_meanwhile` if it is not the version that was seen, `invalid_send_time`, and the codes of
 * sending.
 */
function schedule(deps: ConsoleDeps, call: MemberCall<Static<typeof scheduled>>) {
  return change(deps, call, async (tx, document) => {
    if (document.is_template || !isUnsent(document.status)) throw new ConsoleError('document_not_sendable');
    assertEditable(call, document);
    const at = new Date(call.body.send_at);
    if (call.body.version !== document.audit_seq) {
      const isRepeated = document.send_by === actorOf(call) && Date.parse(document.send_at ?? '') === at.getTime();
      if (isRepeated) return;
      throw new ConsoleError('changed_meanwhile');
    }
    if (!isScheduleTime(at, deps.world.clock.now())) throw new ConsoleError('invalid_send_time');
    await scheduleSend(deps.world, tx, document, actorOf(call), { at, language: call.language });
  });
}

/**
 * Answers with a signing link for the person at this device. With `sign_out` the session of this device ends before the
 * device is handed over.
 */
async function openInPerson({ world, db, origin }: ConsoleDeps, call: MemberCall<{ sign_out: boolean }>) {
  const path = await db.transaction(async (tx) => {
    const document = await lockOwnDocument(tx, call);
    const recipient = await findRecipient(tx, call, document);
    if (!recipientActions(document, recipient, null).includes('in_person')) throw new ConsoleError('refused');
    const token = call.body.sign_out ? readSessionCookie(call.cookies, 'open', origin()) : null;
    if (token !== null) await endSessionOf(tx, token);
    return showLink(world, tx, call, document, recipient, {});
  });
  if (call.body.sign_out) call.setCookie(expiredSessionCookie('open', origin()));
  return { path };
}

/**
 * Answers with a signing link for the caller, who is the recipient. What the provider of a company says of them is not enough:
 * they would sign in the name of the person who has the address.
 */
async function openForSelf({ world, db }: ConsoleDeps, call: MemberCall) {
  const path = await db.transaction(async (tx) => {
    const document = await lockOwnDocument(tx, call);
    const recipient = await findRecipient(tx, call, document);
    const { email } = call.caller.person;
    if (!recipientActions(document, recipient, email).includes('sign')) throw new ConsoleError('refused');
    return showLink(world, tx, call, document, recipient, { in_account: true });
  });
  return { path };
}

async function showLink(
  world: World,
  tx: Tx,
  call: MemberCall,
  document: Document,
  recipient: Recipient,
  more: Record<string, unknown>,
): Promise<string> {
  const at = world.clock.now().toISOString();
  const detail = { recipient_id: recipient.id, name: recipient.display_name, ...more };
  await appendAudit(tx, document, [{ at, actor: actorOf(call), action: 'link_shown', detail }]);
  return mintSigningLink(world, tx, '', recipient);
}
