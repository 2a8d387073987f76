import { insertRecipients, recipientColumnsTyped } from '../../documents/insert-recipients.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import type { ImportedDocument } from './imported-document.ts';
import { VendorImportEnded } from './vendor-import-ended.ts';

/**
 * Inserts documents that were completed at the vendor, each with its recipients, trail, file and envelope, in a single
 * statement. They cause no event, because nothing happened to them here. Throws `VendorImportEnded` if the account is gone.
 */
export async function insertImported(
  world: World,
  tx: Tx,
  accountId: string,
  imported: readonly ImportedDocument[],
): Promise<void> {
  const rows = <Row>(of: (one: ImportedDocument) => Row | readonly Row[]) => JSON.stringify(imported.flatMap(of));
  const hex = (bytes: Buffer) => bytes.toString('hex');
  const [{ inserted }] = (await tx.query<{ inserted: number }>({
    name: 'insert_migrated_documents',
    text: `
      with company as (
        select id, restricted_types from accounts where id = $1 and removed_at is null
      ), new_documents as (
        insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
          restricted_kind, is_migrated, sent_mode, sent_at, completed_at, created_at, updated_at, audit_seq, audit_hash)
        select d.id, c.id, 'other', 'completed', d.title, 'en', d.sign_order_mode, d.recipient_count,
          case when 'other' = any (c.restricted_types) then 'other' end, true, 'live', d.sent_at, d.completed_at, $2, $2,
          d.audit_seq, decode(d.audit_hash, 'hex')
        from company c, jsonb_to_recordset($3::jsonb) as d (id uuid, title text, sign_order_mode text,
          recipient_count smallint, sent_at timestamptz, completed_at timestamptz, audit_seq int, audit_hash text)
        returning id, account_id
      ), recipients as (
        ${insertRecipients(
          `(
            select n.*, d.account_id
            from jsonb_to_recordset($4::jsonb) as n (id uuid, document_id uuid, position smallint, ${recipientColumnsTyped},
              status text, sent_at timestamptz, viewed_at timestamptz, signed_at timestamptz, declined_at timestamptz,
              declined_reason text)
            join new_documents d on d.id = n.document_id
          ) r`,
          {
            status: 'r.status',
            sent_at: 'r.sent_at',
            viewed_at: 'r.viewed_at',
            signed_at: 'r.signed_at',
            declined_at: 'r.declined_at',
            declined_reason: 'r.declined_reason',
          },
        )}
      ), trail as (
        insert into audit_entries (document_id, account_id, seq, at, actor, action, detail, previous_hash, hash)
        select d.id, d.account_id, t.seq, t.at, t.actor, t.action, t.detail, decode(t.previous_hash, 'hex'),
          decode(t.hash, 'hex')
        from jsonb_to_recordset($5::jsonb) as t (document_id uuid, seq int, at timestamptz, actor text, action text,
          detail text, previous_hash text, hash text)
        join new_documents d on d.id = t.document_id
      ), files as (
        insert into document_files (document_id, account_id, sha256, name, page_count, pages, is_signed, attached_at)
        select d.id, d.account_id, decode(f.sha256, 'hex'), f.name, f.page_count, f.pages, f.is_signed, $2
        from jsonb_to_recordset($6::jsonb) as f (document_id uuid, sha256 text, name text, page_count int, pages jsonb,
          is_signed boolean)
        join new_documents d on d.id = f.document_id
      ), envelopes as (
        insert into imported_envelopes (account_id, envelope_id, document_id, bytes, pages)
        select d.account_id, e.envelope_id, d.id, e.bytes, e.pages
        from jsonb_to_recordset($7::jsonb) as e (document_id uuid, envelope_id text, bytes bigint, pages int)
        join new_documents d on d.id = e.document_id
      )
      select count(*)::int as inserted from new_documents`,
    values: [
      accountId,
      world.clock.now(),
      rows(({ document }) => ({ ...document, audit_hash: hex(document.audit_hash) })),
      rows(({ recipients }) => recipients),
      rows(({ trail }) =>
        trail.map((entry) => ({ ...entry, previous_hash: hex(entry.previous_hash), hash: hex(entry.hash) })),
      ),
      rows(({ file }) => ({ ...file, sha256: hex(file.sha256) })),
      rows(({ known }) => known),
    ],
  })) as [{ inserted: number }];
  // The account has been removed.
  if (inserted !== imported.length) throw new VendorImportEnded('interrupted');
}
