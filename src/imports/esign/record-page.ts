import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { assertLeased } from '../lease.ts';
import type { NextPage } from './list-cursor.ts';
import type { VendorEnvelope } from './vendor-envelope.ts';
import { type RunningVendorImport, saveVendorImport, type VendorImport } from './vendor-import.ts';

/**
 * Inserts items for the new envelopes of a page and advances the listing, in one transaction: a crash leaves both or
 * neither. Returns the number of new envelopes and the updated progress.
 */
export async function recordPage(
  world: World,
  tx: Tx,
  { import: row, vendorImport, lease }: RunningVendorImport,
  envelopes: readonly VendorEnvelope[],
  next: NextPage,
): Promise<{ added: number; vendorImport: VendorImport }> {
  const now = world.clock.now();
  await assertLeased(tx, lease);
  const newest = newestOf(vendorImport.newest, envelopes, now.toISOString());
  const [listed] = await tx.query<{ added: number }>({
    name: 'record_envelope_page',
    text: `with listed as (
             select distinct on (l.envelope_id) l.* from unnest($3::uuid[], $4::text[], $5::text[], $6::jsonb[])
               with ordinality as l (item_id, envelope_id, name, envelope, position)
             where not exists (
               select from esign_envelopes e where e.import_id = $1 and e.envelope_id = l.envelope_id
             )
             order by l.envelope_id, l.position
           ), items as (
             insert into import_items (id, account_id, import_id, name, status, reserved_bytes, unlock_status,
               unlock_credits, created_at)
             select item_id, $2, $1, name, 'queued', 0, case when $7 then 'pending' end, case when $7 then 0 end, $8
             from listed
             returning id
           ), envelopes as (
             insert into esign_envelopes (import_id, envelope_id, item_id, envelope)
             select $1, envelope_id, item_id, envelope from listed
           ), counted as (
             select count(*)::int as added from items
           ), moved as (
             update imports set total_files = total_files + added from counted where id = $1 and added > 0
           )
           select added from counted`,
    values: [
      row.id,
      row.account_id,
      envelopes.map(() => world.newId()),
      envelopes.map(({ id }) => id),
      envelopes.map(({ subject }) => subject),
      envelopes.map((envelope) => JSON.stringify(envelope)),
      row.unlock_doc,
      now,
    ],
  });
  const moved =
    next.kind === 'end'
      ? { is_listed: true, looks: vendorImport.looks + 1 }
      : { list_from: next.cursor.from, list_position: next.cursor.position, list_anchor: next.cursor.anchor };
  const after = { ...vendorImport, ...moved, newest, progressed_at: now.toISOString() };
  await saveVendorImport(tx, after);
  return { added: listed?.added ?? 0, vendorImport: after };
}

/** A completion time in the future counts as now: the last pass over the list begins at the newest time. */
function newestOf(before: string | null, envelopes: readonly VendorEnvelope[], now: string): string | null {
  const known = before === null ? [] : [before];
  const listed = envelopes.flatMap(({ completedAt }) => completedAt ?? []).map((at) => (at > now ? now : at));
  return [...known, ...listed].sort().at(-1) ?? null;
}
