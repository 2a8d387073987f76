import type { World } from '../../platform/world.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import type { Import } from '../import.ts';
import { type Lease, leaseEnd } from '../lease.ts';
import { importColumns } from '../queries.ts';
import { VendorImportEnded } from './vendor-import-ended.ts';

/** One row of `esign_sweeps`: the progress of a vendor import. */
export interface VendorImport {
  import_id: string;
  account_id: string;
  vendor_account_id: string;
  list_from: Timestamp;
  list_position: number;
  list_anchor: string | null;
  newest: Timestamp | null;
  looks: number;
  is_listed: boolean;
  progressed_at: Timestamp;
}

/** A vendor import that this process runs. */
export interface RunningVendorImport {
  import: Import;
  /** Envelopes completed before this time aren't imported. */
  earliest: Timestamp;
  vendorImport: VendorImport;
  lease: Lease;
}

/** A vendor may be down for days, and an owner may take a week to reconnect. */
const patienceMs = 14 * 86_400_000;

/** Throws `VendorImportEnded` if no page was listed and no envelope ended for two weeks. */
export function assertProgress({ progressed_at }: VendorImport, now: Date): void {
  if (progressed_at < oldestProgress(now).toISOString()) throw new VendorImportEnded('source_unavailable');
}

function oldestProgress(now: Date): Date {
  return new Date(now.getTime() - patienceMs);
}

export async function createVendorImport(
  world: World,
  tx: Tx,
  input: { importId: string; accountId: string; vendorAccountId: string; from: Date },
): Promise<void> {
  await tx.query({
    name: 'create_esign_sweep',
    text: `insert into esign_sweeps (import_id, account_id, vendor_account_id, earliest, list_from, progressed_at)
           values ($1, $2, $3, $4, $4, $5)`,
    values: [input.importId, input.accountId, input.vendorAccountId, input.from, world.clock.now()],
  });
}

/**
 * Takes a vendor import that no process runs, or returns null. One whose connection was refused waits, for at most two
 * weeks, until the account is connected again. Skips rows that another worker is taking.
 */
export async function takeVendorImport(
  world: World,
  db: Queryable,
  taken: readonly string[],
): Promise<RunningVendorImport | null> {
  const now = world.clock.now();
  const leaseId = world.newId();
  const [row] = await db.query<Import & VendorImport & { earliest: Timestamp }>({
    name: 'take_esign_sweep',
    text: `with taken as (
             update imports set lease_id = $1, leased_until = $2
             where id = (
               select i.id from imports i join esign_sweeps s on s.import_id = i.id
               where i.status = 'running' and i.source = 'esign_vendor'
                 and (i.leased_until is null or i.leased_until <= $3) and i.id <> all ($4::uuid[])
                 and (s.progressed_at < $5 or not exists (
                   select from esign_connections c where c.account_id = i.account_id and c.refused_at is not null
                 ))
               order by i.leased_until nulls first limit 1 for update of i skip locked
             )
             returning ${importColumns}
           )
           select t.*, s.import_id, s.vendor_account_id, s.earliest, s.list_from, s.list_position, s.list_anchor,
             s.newest, s.looks, s.is_listed, s.progressed_at
           from taken t join esign_sweeps s on s.import_id = t.id`,
    values: [leaseId, leaseEnd(now), now, taken, oldestProgress(now)],
  });
  return row === undefined
    ? null
    : { import: row, vendorImport: row, earliest: row.earliest, lease: { importId: row.id, leaseId } };
}

/** Updates the progress. The caller holds the lock of the import's row. */
export async function saveVendorImport(tx: Tx, vendorImport: VendorImport): Promise<void> {
  await tx.query({
    name: 'save_esign_sweep',
    text: `update esign_sweeps
           set list_from = $2, list_position = $3, list_anchor = $4, newest = $5, looks = $6, is_listed = $7,
             progressed_at = $8
           where import_id = $1`,
    values: [
      vendorImport.import_id,
      vendorImport.list_from,
      vendorImport.list_position,
      vendorImport.list_anchor,
      vendorImport.newest,
      vendorImport.looks,
      vendorImport.is_listed,
      vendorImport.progressed_at,
    ],
  });
}
