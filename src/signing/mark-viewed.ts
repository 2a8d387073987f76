import type { FastifyRequest } from 'fastify';
import { recipientActor } from '../actor.ts';
import { appendAudit } from '../documents/audit.ts';
import { eventDocument } from '../documents/event-document.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { type Access, lockSession, type SigningSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';

/** Where a recipient acts from, for the audit trail and the certificate of completion. */
export interface Visitor {
  ip: string;
  userAgent: string | null;
}

const userAgentLengthMax = 300;

export function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null };
}

/**
 * Records that a recipient whose turn it is opened the document. The page's script calls it in a visible tab. A GET never
 * does, because mail gateways fetch every link. Before a required code or sign-in, nothing counts as viewed.
 */
export async function markViewed(world: World, tx: Tx, access: Access, visitor: Visitor): Promise<SigningState> {
  const session = await lockSession(world, tx, access);
  if (session.state.kind === 'open') await recordFirstView(world, tx, session, visitor);
  return session.state;
}

/** Records the first view. Does nothing if the recipient opened the document before. */
export async function recordFirstView(world: World, tx: Tx, session: SigningSession, visitor: Visitor): Promise<void> {
  const { document, recipient } = session;
  if (recipient.viewed_at !== null) return;
  const now = world.clock.now().toISOString();
  Object.assign(recipient, { status: 'viewed', viewed_at: now });
  await Promise.all([
    tx.query({
      name: 'mark_recipient_viewed',
      text: `update recipients set status = 'viewed', viewed_at = $3 where account_id = $1 and id = $2`,
      values: [recipient.account_id, recipient.id, now],
    }),
    appendAudit(tx, document, [
      {
        at: now,
        actor: recipientActor(recipient.id),
        action: 'viewed',
        detail: { name: recipient.display_name, ip: visitor.ip, user_agent: visitor.userAgent },
      },
    ]),
    recordEvent(world, tx, {
      accountId: document.account_id,
      documentId: document.id,
      type: 'document.viewed',
      document: eventDocument(document),
    }),
  ]);
}
