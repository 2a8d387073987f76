import type { Actor } from '../actor.ts';
import { canonicalJson } from '../canonical-json.ts';
import { ApiError } from '../errors.ts';
import type { KeyMode } from '../keys/api-key.ts';
import type { World } from '../platform/world.ts';
import type { Notifying, Queryable } from '../postgres/database.ts';
import { chainEntry, documentsChannel, emptyChain } from './audit.ts';
import type { CreateDocumentBody } from './create-document-body.ts';
import { insertRecipients, recipientArrays, recipientColumns, recipientParameters } from './insert-recipients.ts';
import { type DocumentJsonRow, documentJsonColumns } from './json.ts';
import { assertConsistent, newRecipient } from './new-recipient.ts';

export interface Creator {
  accountId: string;
  actor: Actor;
  mode: KeyMode;
  /** Whether the document expires as the company's documents do, unless the body says more. */
  expiresByDefault?: boolean;
}

/**
 * Creates a draft, its recipients and the first entry of its audit trail in one statement. The statement is its own
 * transaction unless the caller has one open. Sends nothing. Throws `account_unavailable` if the account was removed
 * during the request, and the codes of `assertConsistent`.
 */
export async function createDocument(
  world: World,
  db: Queryable & Notifying,
  creator: Creator,
  body: CreateDocumentBody,
): Promise<DocumentJsonRow> {
  const recipients = body.recipients.map(newRecipient);
  recipients.forEach(assertConsistent);

  const id = world.newId();
  const now = world.clock.now().toISOString();
  const audit = chainEntry(id, emptyChain, {
    at: now,
    actor: creator.actor,
    action: 'created',
    detail: { mode: creator.mode, recipients: recipients.length },
  });
  const rows = await db.query<DocumentJsonRow>({
    name: 'create_document',
    text: `
      with account as (
        select id, restricted_types, default_expires_in_days, default_reminder_days, default_expiry_reminder_days
        from accounts where id = $2 and removed_at is null
      ), document as (
        insert into documents (id, account_id, type, status, title, primary_language, message, sign_order_mode,
          expires_in_days, reminder_days, expiry_reminder_days, recipient_count, restricted_kind, created_at, updated_at,
          audit_seq, audit_hash)
        select $1, id, $3, 'draft', $4, $5, $6, $7, coalesce($8, case when $25 then default_expires_in_days end),
          case when $26 then $27::smallint[] else default_reminder_days end,
          case when $26 then $28 else default_expiry_reminder_days end, $9, case when $3 = any (restricted_types) then 'other' end,
          $10, $10, 1, $11
        from account
        returning ${documentJsonColumns.join(', ')}
      ), inserted_recipients as (
        ${insertRecipients(`(
          select n.*, d.account_id, d.id as document_id
          from document d, unnest($12::uuid[], $13::smallint[], ${recipientParameters(14)})
            as n (id, position, ${recipientColumns})
        ) r`)}
      ), trail as (
        insert into audit_entries (document_id, account_id, seq, at, actor, action, detail, previous_hash, hash)
        select d.id, d.account_id, 1, $10, $21, $22, $23, $24, $11 from document d
      )
      select * from document`,
    values: [
      id,
      creator.accountId,
      body.type ?? 'form',
      body.title,
      body.primary_language ?? 'en',
      body.content?.message ?? null,
      body.content?.sign_order_mode ?? 'parallel',
      body.content?.expires_in_days ?? null,
      recipients.length,
      now,
      audit.hash,
      recipients.map(() => world.newId()),
      recipients.map((_, position) => position),
      ...recipientArrays(recipients),
      audit.actor,
      audit.action,
      canonicalJson(audit.detail),
      audit.previousHash,
      creator.expiresByDefault === true,
      body.reminders !== undefined,
      body.reminders?.reminder_days ?? null,
      body.reminders?.expiry_reminder_days ?? null,
    ],
  });
  if (rows[0] === undefined) throw new ApiError('account_unavailable');
  db.notify(documentsChannel, creator.accountId);
  return rows[0];
}
