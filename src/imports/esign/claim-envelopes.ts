import type { Queryable } from '../../postgres/database.ts';
import { type Lease, LeaseLost } from '../lease.ts';
import type { VendorEnvelope } from './vendor-envelope.ts';

/** An envelope that this process imports now. */
export interface ClaimedEnvelope {
  itemId: string;
  envelope: VendorEnvelope;
  /** The document of an earlier import, if this envelope has one. */
  known: KnownEnvelope | null;
}

export interface KnownEnvelope {
  documentId: string;
  bytes: number;
  pages: number;
}

interface Row {
  item_id: string;
  envelope: VendorEnvelope;
  document_id: string | null;
  bytes: number | null;
  pages: number | null;
}

/** Queues again what a killed process had claimed. */
export async function releaseClaims(db: Queryable, { importId, leaseId }: Lease): Promise<void> {
  await db.query({
    name: 'release_envelope_claims',
    text: `update import_items set status = 'queued' where import_id = $1 and status = 'running'
             and exists (select from imports where id = $1 and lease_id = $2)`,
    values: [importId, leaseId],
  });
}

/** Claims the next `count` envelopes after the item `afterId`, in the order they were listed. Throws `LeaseLost`. */
export async function claimEnvelopes(
  db: Queryable,
  { importId, leaseId }: Lease,
  afterId: string,
  count: number,
): Promise<ClaimedEnvelope[]> {
  const rows = await db.query<Row & { is_held: boolean }>({
    name: 'claim_envelopes',
    text: `with held as (
             select id from imports where id = $1 and lease_id = $2 for share
           ), next as (
             select i.id, i.account_id from held h join import_items i on i.import_id = h.id
             where i.id > $3 and i.status = 'queued' order by i.id limit $4
           ), claimed as (
             update import_items i set status = 'running' from next n where i.id = n.id
             returning i.id, i.account_id
           )
           select exists (select from held) as is_held, c.*
           from (values (1)) as one left join (
             select e.item_id, e.envelope, k.document_id, k.bytes, k.pages
             from claimed c join esign_envelopes e on e.item_id = c.id
             left join imported_envelopes k on k.account_id = c.account_id and k.envelope_id = e.envelope_id
           ) c on true
           order by c.item_id`,
    values: [importId, leaseId, afterId, count],
  });
  if (rows[0]?.is_held !== true) throw new LeaseLost();
  return rows.filter(({ item_id }) => item_id !== null).map(claimedOf);
}

function claimedOf({ item_id: itemId, envelope, document_id, bytes, pages }: Row): ClaimedEnvelope {
  const known =
    document_id === null ? null : { documentId: document_id, bytes: bytes as number, pages: pages as number };
  return { itemId, envelope, known };
}
