import { auditAccount } from '../accounts/account-audit.ts';
import { type DocumentType, documentTypes } from '../document-types.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { DocumentStatus, RestrictedKind } from './document.ts';

/** A restricted document as owners and admins see it in their list. */
export interface RestrictedDocument {
  id: string;
  type: DocumentType;
  status: DocumentStatus;
  title: string;
  restricted_kind: RestrictedKind;
  created_at: Timestamp;
}

/** Lists restricted documents, newest first, after `afterId` if there is one. Leaves out deleted templates. */
export function pageRestrictedDocuments(
  db: Queryable,
  accountId: string,
  afterId: string | null,
  limit: number,
): Promise<RestrictedDocument[]> {
  return db.query<RestrictedDocument>({
    name: 'page_restricted_documents',
    text: `select id, type, status, title, restricted_kind, created_at from documents
           where account_id = $1 and restricted_kind is not null and not (is_template and status = 'voided')
             and ($2::uuid is null or id < $2)
           order by id desc limit $3`,
    values: [accountId, afterId, limit],
  });
}

/** Returns the types whose documents the account restricts on creation. */
export async function readRestrictedTypes(db: Queryable, accountId: string): Promise<DocumentType[]> {
  const rows = await db.query<{ restricted_types: DocumentType[] }>({
    name: 'read_restricted_types',
    text: 'select restricted_types from accounts where id = $1',
    values: [accountId],
  });
  return rows[0]?.restricted_types ?? [];
}

/**
 * Sets the types whose documents the account restricts on creation. Existing documents do not change. Returns null if the
 * account does not exist. `personId`: the person for the account's audit log, null for an operator.
 */
export async function setRestrictedTypes(
  world: World,
  tx: Tx,
  accountId: string,
  types: readonly DocumentType[],
  personId: string | null,
): Promise<DocumentType[] | null> {
  const [row] = await tx.query<{ restricted_types: DocumentType[] }>({
    name: 'set_restricted_types',
    text: 'update accounts set restricted_types = $2 where id = $1 returning restricted_types',
    values: [accountId, documentTypes.filter((type) => types.includes(type))],
  });
  if (row === undefined) return null;
  const detail = { types: row.restricted_types };
  await auditAccount(world, tx, { accountId, personId, action: 'types_restricted', detail });
  return row.restricted_types;
}
