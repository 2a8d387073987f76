import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';

/** Storage is measured this often. */
const restMs = 60 * 60_000;
/** Rows that one statement reads. */
const rowsAtOnce = 10_000;
const lowestId = '00000000-0000-0000-0000-000000000000';

interface Measured {
  files: number;
  bytes: number;
}

/**
 * Measures the storage of all companies, unless that was done less than an hour ago. The last time may be in the future, when a clock
 * was set back.
 */
export async function measureStorageWhenDue(world: World, db: Database, stopping: AbortSignal): Promise<void> {
  const [last] = await db.query<{ measured_at: string }>({
    name: 'last_measured',
    text: 'select measured_at from storage_totals',
    values: [],
  });
  const age = last === undefined ? restMs : world.clock.now().getTime() - new Date(last.measured_at).getTime();
  if (Math.abs(age) >= restMs) await measureStorage(world, db, stopping);
}

/**
 * Adds up the attached files, the files that recipients attached, and the sealed PDFs of the documents of each company, and all
 * files of the store. A file that several documents share counts for each of them, and once in the total. It reads in small
 * statements while the service works, so what changes meanwhile may be missing until the next time.
 */
export async function measureStorage(world: World, db: Database, stopping?: AbortSignal): Promise<void> {
  const { companies, sealedAlone } = await measureDocuments(db, stopping);
  const others = await measureStore(db, stopping);
  const now = world.clock.now();
  const rows = [...companies].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.transaction(async (tx) => {
    await tx.query({
      name: 'save_storage_total',
      text: `insert into storage_totals (files, bytes, measured_at) values ($1, $2, $3)
             on conflict (is_only) do update set files = $1, bytes = $2, measured_at = $3`,
      values: [others.files + sealedAlone.files, others.bytes + sealedAlone.bytes, now],
    });
    await tx.query({
      name: 'save_account_storage',
      text: `insert into account_storage (account_id, files, bytes, measured_at)
             select m.account_id, m.files, m.bytes, $4 from unnest($1::uuid[], $2::bigint[], $3::bigint[]) m (account_id, files, bytes)
             on conflict (account_id) do update
             set files = excluded.files, bytes = excluded.bytes, measured_at = excluded.measured_at`,
      values: [rows.map(([id]) => id), rows.map(([, { files }]) => files), rows.map(([, { bytes }]) => bytes), now],
    });
    await tx.query({
      name: 'forget_account_storage',
      text: 'delete from account_storage where measured_at <> $1',
      values: [now],
    });
  });
}

interface MeasuredDocuments {
  companies: Map<string, Measured>;
  /** Sealed PDFs that are not attached to another document: those that are, are with the other files of the store. */
  sealedAlone: Measured;
}

async function measureDocuments(db: Queryable, stopping?: AbortSignal): Promise<MeasuredDocuments> {
  const companies = new Map<string, Measured>();
  const sealedAlone: Measured = { files: 0, bytes: 0 };
  for (let after: string | null = lowestId; after !== null; ) {
    stopping?.throwIfAborted();
    const rows: BatchRow[] = await db.query<BatchRow>({
      name: 'measure_documents',
      text: `with batch as (
               select d.id, d.account_id, attached.bytes as attached, sealed.bytes as sealed,
                 parts.n as parts, parts.bytes as part_bytes, uploads.n as uploads, uploads.bytes as upload_bytes,
                 case when stored.sha256 is null then sealed.bytes end as alone
               from (select id, account_id, sealed_file from documents where id > $1 order by id limit $2) d
               left join document_files f on f.document_id = d.id
               left join stored_files attached on attached.sha256 = f.sha256
               left join lateral (
                 select sha256, bytes from sealed_files s
                 where s.account_id = d.account_id and s.document_id = d.id and d.sealed_file is not null
                 order by version desc limit 1
               ) sealed on true
               left join lateral (
                 select count(*) as n, coalesce(sum(s.bytes), 0) as bytes
                 from document_parts p join stored_files s on s.sha256 = p.sha256 where p.document_id = d.id
               ) parts on true
               left join lateral (
                 select count(*) as n, coalesce(sum(s.bytes), 0) as bytes
                 from field_files u join stored_files s on s.sha256 = u.sha256 where u.document_id = d.id
               ) uploads on true
               left join stored_files stored on stored.sha256 = sealed.sha256
             )
             select account_id, (count(attached) + count(sealed) + sum(parts) + sum(uploads))::bigint as files,
               (coalesce(sum(attached), 0) + coalesce(sum(sealed), 0) + sum(part_bytes)
                + sum(upload_bytes))::bigint as bytes,
               count(alone)::bigint as alone_files, coalesce(sum(alone), 0)::bigint as alone_bytes,
               case when (select count(*) from batch) = $2 then (select id from batch order by id desc limit 1) end as last_id
             from batch group by account_id`,
      values: [after, rowsAtOnce],
    });
    for (const { account_id, files, bytes, alone_files, alone_bytes } of rows) {
      const known = companies.get(account_id) ?? { files: 0, bytes: 0 };
      companies.set(account_id, { files: known.files + files, bytes: known.bytes + bytes });
      sealedAlone.files += alone_files;
      sealedAlone.bytes += alone_bytes;
    }
    after = rows[0]?.last_id ?? null;
  }
  return { companies, sealedAlone };
}

interface BatchRow extends Measured {
  account_id: string;
  alone_files: number;
  alone_bytes: number;
  /** Null in the last batch. */
  last_id: string | null;
}

async function measureStore(db: Queryable, stopping?: AbortSignal): Promise<Measured> {
  const store: Measured = { files: 0, bytes: 0 };
  for (let after: Buffer | null = Buffer.alloc(0); after !== null; ) {
    stopping?.throwIfAborted();
    const [row]: (Measured & { last: Buffer | null })[] = await db.query({
      name: 'measure_store',
      text: `with batch as (select sha256, bytes from stored_files where sha256 > $1 order by sha256 limit $2)
             select count(*)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes,
               case when count(*) = $2 then (select sha256 from batch order by sha256 desc limit 1) end as last from batch`,
      values: [after, rowsAtOnce],
    });
    store.files += row?.files ?? 0;
    store.bytes += row?.bytes ?? 0;
    after = row?.last ?? null;
  }
  return store;
}
