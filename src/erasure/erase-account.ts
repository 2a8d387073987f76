import { auditAccount } from '../accounts/account-audit.ts';
import { Refusal } from '../errors.ts';
import { findConnection } from '../esign/connection.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import { allowErasing } from './allow-erasing.ts';
import { type AccountErasure, deleteRows, rowsAtOnce } from './delete-rows.ts';
import { eraseSomeDocuments } from './erase-documents.ts';
import { eraseMailboxOfAccount } from './erase-mailbox.ts';
import { eraseMembers } from './erase-people.ts';
import { eraseWebhooks } from './erase-webhooks.ts';

const erasedName = 'Erased company';

/** What was erased by this call. A continued erasure doesn't count what it did before. */
export interface ErasedAccount {
  documents: number;
  people: number;
}

/**
 * Marks a removed account to be erased. From then on a worker finishes what was interrupted. Throws a `Refusal` for an
 * account that is in use, or still connected to a vendor. Null when the account does not exist.
 */
export async function requestErasure(world: World, db: Database, accountId: string): Promise<true | null> {
  return db.transaction(async (tx) => {
    const [account] = await tx.query<{ is_removed: boolean; is_erased: boolean }>({
      name: 'lock_account_to_erase',
      text: `select removed_at is not null as is_removed, erased_at is not null as is_erased
             from accounts where id = $1 for update`,
      values: [accountId],
    });
    if (account === undefined) return null;
    if (!account.is_removed) throw new Refusal('the company is in use: remove it first, with account remove');
    if (account.is_erased) throw new Refusal('the company was erased already');
    if ((await findConnection(tx, accountId)) !== null) {
      throw new Refusal('the company is still connected to its e-signature vendor: run account remove again');
    }
    await tx.query({
      name: 'request_erasure',
      text: 'update accounts set erase_requested_at = coalesce(erase_requested_at, $2) where id = $1',
      values: [accountId, world.clock.now()],
    });
    return true;
  });
}

/**
 * Finishes the erasures that were requested and interrupted. A failure of one doesn't stop the others. `stopping` interrupts
 * the present one after its current transaction; a later call continues it.
 */
export async function finishErasures(
  world: World,
  db: Database,
  stopping: AbortSignal,
  mailboxDir?: string,
): Promise<void> {
  const rows = await db.query<{ id: string }>({
    name: 'accounts_to_erase',
    text: `select id from accounts where erase_requested_at is not null and erased_at is null
           order by erase_requested_at`,
    values: [],
  });
  const failures: unknown[] = [];
  for (const { id } of rows) {
    if (stopping.aborted) break;
    await eraseAccount({ world, db, accountId: id, stopping, mailboxDir }).catch((error) => {
      if (error !== stopping.reason) failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletes the data of an account whose erasure was requested, in small transactions. It can be interrupted anywhere and run
 * again, also twice at once. It repeats what a request or job that was still running has added. The account stays with its
 * id, plan and times, and one audit entry. Throws the reason of `stopping` when it is interrupted.
 */
export async function eraseAccount(erasure: AccountErasure): Promise<ErasedAccount> {
  const { world, db, accountId, mailboxDir } = erasure;
  const erased: ErasedAccount = { documents: 0, people: 0 };
  do {
    if (mailboxDir !== undefined) await eraseMailboxOfAccount(db, mailboxDir, accountId);
    await eraseWebhooks(erasure);
    await eraseImports(erasure);
    await eraseBulkSends(erasure);
    await erasePublicLinks(erasure);
    const erasedWith = await eraseDocuments(erasure);
    erased.documents += erasedWith.documents;
    erased.people += erasedWith.people + (await eraseMembers(erasure));
    await eraseRequests(erasure);
    for (const table of large) await deleteRows(erasure, table, 'account_id = $1');
  } while (!(await db.transaction((tx) => eraseRest(world, tx, accountId, erased))));
  return erased;
}

/** The log is partitioned, and rows of other companies have the same places in other partitions: its own are found by id. */
async function eraseRequests({ db, accountId, stopping }: AccountErasure): Promise<void> {
  for (;;) {
    stopping.throwIfAborted();
    const deleted = await db.query({
      name: 'erase_request_log',
      text: `delete from request_log where account_id = $1 and id = any (array(
               select id from request_log where account_id = $1 limit ${rowsAtOnce})) returning 1`,
      values: [accountId],
    });
    if (deleted.length < rowsAtOnce) return;
  }
}

async function eraseImports(erasure: AccountErasure): Promise<void> {
  const own = 'import_id in (select id from imports where account_id = $1)';
  await deleteRows(erasure, 'esign_envelopes', own);
  await deleteRows(erasure, 'esign_sweeps', 'account_id = $1');
  await deleteRows(erasure, 'import_items', `account_id = $1 and ${own}`);
  await deleteRows(erasure, 'imports', 'account_id = $1');
}

/** Before the documents that they refer to. */
async function eraseBulkSends(erasure: AccountErasure): Promise<void> {
  await deleteRows(erasure, 'bulk_send_rows', 'account_id = $1');
  await deleteRows(erasure, 'bulk_sends', 'account_id = $1');
}

/** Before the documents that they refer to. */
async function erasePublicLinks(erasure: AccountErasure): Promise<void> {
  await deleteRows(erasure, 'public_link_visits', 'account_id = $1');
  await deleteRows(erasure, 'public_link_documents', 'account_id = $1');
  await deleteRows(erasure, 'public_links', 'account_id = $1');
}

async function eraseDocuments({ world, db, accountId, stopping }: AccountErasure): Promise<ErasedAccount> {
  const erased: ErasedAccount = { documents: 0, people: 0 };
  for (;;) {
    stopping.throwIfAborted();
    const { documents, people } = await eraseSomeDocuments(world, db, accountId);
    if (documents === 0) return erased;
    erased.documents += documents;
    erased.people += people;
  }
}

/** Tables that may have many rows for each account. They are deleted in batches first. */
const large = ['idempotency_records', 'usage_days', 'audit_stream_entries', 'account_audit_entries'] as const;

/** Tables with few rows for each account, each after those that refer to it. */
const rest = [
  'request_log',
  ...large,
  'audit_streams',
  'brand_texts',
  'brands',
  'sso_authorizations',
  'sso_identities',
  'sso_roles',
  'sso_connections',
  'sso_domains',
  'custom_domains',
  'removed_members',
  'esign_authorizations',
  'sign_in_links',
  'sessions',
  'esign_connections',
  'webhook_endpoints',
  'credit_entries',
  'idempotency_leases',
  'import_usage',
  'rate_usage',
  'account_storage',
  'api_keys',
  'cc_list_people',
  'cc_lists',
  'folder_members',
  'folders',
  'members',
] as const;

/**
 * Deletes the rest and marks the account as erased, in one transaction. False: there are new documents or imports, so that
 * everything has to be repeated. The lock keeps others from adding rows, whose foreign keys need it.
 */
async function eraseRest(world: World, tx: Tx, accountId: string, erased: ErasedAccount): Promise<boolean> {
  await tx.query({ name: 'lock_account', text: 'select from accounts where id = $1 for update', values: [accountId] });
  const [state] = await tx.query<{ is_erased: boolean; has_more: boolean }>({
    name: 'state_of_erasure',
    text: `select erased_at is not null as is_erased,
             exists (select from documents where account_id = $1) or exists (select from imports where account_id = $1)
               as has_more
           from accounts where id = $1`,
    values: [accountId],
  });
  if (state?.has_more) return false;
  if (state?.is_erased !== false) return true;
  await allowErasing(tx);
  await tx.query({
    name: 'release_data_exports',
    // A scheduled job removes their archives from the file store, and then the rows.
    text: `update data_exports set account_id = null, requested_by = null, status = 'cancelled', bytes = null, failure = null,
             opened_by = null, opened_until = null, expires_at = $2
           where account_id = $1`,
    values: [accountId, world.clock.now()],
  });
  for (const table of rest) {
    await tx.query({
      name: `erase_rest_of_${table}`,
      text: `delete from ${table} where account_id = $1`,
      values: [accountId],
    });
  }
  await tx.query({
    name: 'mark_erased',
    text: `update accounts set display_name = $3, restricted_types = '{}', notices_off = '{}', credits = 0, erased_at = $2,
             requires_sso = false, default_expires_in_days = null, default_reminder_days = null, default_expiry_reminder_days = null,
             asks_consent = false, copies_contact = null, copies_cost = null, prints_document_id = false,
             allows_delegation = false, allows_comments = true, masks_contacts = false, shows_devices = false,
             embed_origins = '{}'
           where id = $1`,
    values: [accountId, world.clock.now(), erasedName],
  });
  await auditAccount(world, tx, { accountId, personId: null, action: 'account_erased', detail: { ...erased } });
  return true;
}

/** Returns when the account was erased. Null when it was not. */
export async function readErasedAt(db: Queryable, accountId: string): Promise<string | null> {
  const [row] = await db.query<{ erased_at: string | null }>({
    name: 'read_erased_at',
    text: 'select erased_at from accounts where id = $1',
    values: [accountId],
  });
  return row?.erased_at ?? null;
}
