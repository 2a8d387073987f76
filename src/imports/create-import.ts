import type { Plan, PlanTable } from '../accounts/plans.ts';
import { readPlan } from '../accounts/read-plan.ts';
import { ApiError } from '../errors.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { assertWithinQuota, countFiles, lockImportUsage, readImportUse } from '../usage/import-quota.ts';
import type { Import, ImportSource } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import type { RunningItem } from './import-file.ts';
import { type Lease, leaseEnd } from './lease.ts';
import { importColumns } from './queries.ts';
import type { SourceFile } from './sources/source-file.ts';
import { cleanName } from './title-of.ts';

type CreationDeps = Pick<ImportDeps, 'world' | 'plans'>;

export interface NewImport {
  accountId: string;
  /** Who starts it: an API key, a person in the console, or, if both are null, the operator. */
  keyId: string | null;
  personId: string | null;
  source: ImportSource;
  unlockDoc: boolean;
  files: readonly NewFile[];
}

export interface NewFile {
  file: SourceFile;
  /** The part of the month's storage that is reserved until the file is stored. */
  reservedBytes: number;
  /** Encrypts a file store's link, so that another process can continue the item. Null without a link. */
  encryptLink: ((itemId: string) => Buffer) | null;
}

export interface CreatedImport {
  import: Import;
  lease: Lease;
  items: RunningItem[];
}

/**
 * Inserts an import and its items under a lease, counts its files and reserves their storage. Throws
 * `import_quota_exceeded` if the plan has no room for it.
 */
export async function createImport(deps: CreationDeps, tx: Tx, input: NewImport): Promise<CreatedImport> {
  const { world, plans } = deps;
  const now = world.clock.now();
  await lockImportUsage(tx, input.accountId, now);
  const [plan, use] = await Promise.all([
    requirePlan(tx, plans, input.accountId),
    readImportUse(tx, input.accountId, now),
  ]);
  const bytes = input.files.reduce((sum, { reservedBytes }) => sum + reservedBytes, 0);
  assertWithinQuota(plan, use, { files: input.files.length, bytes });
  await countFiles(tx, input.accountId, input.files.length);

  const lease = { importId: world.newId(), leaseId: world.newId() };
  const [created] = await tx.query<Import>({
    name: 'create_import',
    text: `insert into imports (id, account_id, source, status, unlock_doc, api_key_id, started_by, total_files,
             lease_id, leased_until, created_at)
           values ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $9, $10) returning ${importColumns}`,
    values: [
      lease.importId,
      input.accountId,
      input.source,
      input.unlockDoc,
      input.keyId,
      input.personId,
      input.files.length,
      lease.leaseId,
      leaseEnd(now),
      now,
    ],
  });
  const items = input.files.map(({ file }) => ({ id: world.newId(), file: { ...file, name: cleanName(file.name) } }));
  await createItems(deps, tx, input, lease.importId, items);
  return { import: created as Import, lease, items };
}

async function createItems(
  { world }: CreationDeps,
  tx: Tx,
  input: NewImport,
  importId: string,
  items: readonly RunningItem[],
): Promise<void> {
  await tx.query({
    name: 'create_import_items',
    text: `insert into import_items (id, account_id, import_id, index, name, status, drive_file_id, sealed_link,
             reserved_bytes, unlock_status, unlock_credits, created_at)
           select i.id, $1, $2, case when $10 then i.ordinality - 1 end, i.name, 'queued', i.drive_file_id, i.sealed_link, i.reserved_bytes,
             case when $8 then 'pending' end, case when $8 then 0 end, $9
           from unnest($3::uuid[], $4::text[], $5::text[], $6::bytea[], $7::bigint[]) with ordinality
             as i (id, name, drive_file_id, sealed_link, reserved_bytes, ordinality)`,
    values: [
      input.accountId,
      importId,
      items.map(({ id }) => id),
      items.map(({ file }) => file.name),
      items.map(({ file }) => file.driveFileId),
      input.files.map(({ encryptLink }, index) => encryptLink?.((items[index] as RunningItem).id) ?? null),
      input.files.map(({ reservedBytes }) => reservedBytes),
      input.unlockDoc,
      world.clock.now(),
      input.keyId !== null,
    ],
  });
}

export function linkContext(itemId: string): string {
  return `import item ${itemId}`;
}

/** Reads the account's plan. Throws `account_unavailable` if the account was removed during the request. */
export async function requirePlan(db: Queryable, plans: PlanTable, accountId: string): Promise<Plan> {
  const plan = await readPlan(db, plans, accountId);
  if (plan === null) throw new ApiError('account_unavailable');
  return plan;
}
