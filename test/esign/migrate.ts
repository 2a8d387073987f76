import { expect } from 'vitest';
import { type Answer, type Company, call, eventually, type TestService } from '../support/service.ts';
import { type AnEnvelope, anEnvelope } from './vendor/envelope.ts';
import type { VendorEnvelopes } from './vendor/envelopes.ts';

type App = Pick<TestService, 'baseUrl'>;
type Key = Pick<Company, 'key'>;

export function startMigration(app: App, { key }: Key, body: object = {}, headers = {}): Promise<Answer> {
  return call(app, 'POST', '/imports', { key, body: { source: 'esign_vendor', unlock_doc: false, ...body }, headers });
}

/** Waits until the import has finished, and returns it. */
export async function finished(app: App, { key }: Key, id: string, withinMs = 110_000) {
  const { body } = await eventually(
    () => call(app, 'GET', `/imports/${id}`, { key }),
    ({ body }) => body.status === 'finished',
    withinMs,
  );
  return body;
}

/** Starts a vendor import and waits until it has finished. */
export async function migrate(app: App, company: Key, body: object = {}) {
  const { status, body: started, text } = await startMigration(app, company, body);
  expect(status, text).toBe(201);
  return finished(app, company, started.id);
}

/** Returns this many envelopes, a minute apart. */
export function fill(vendor: VendorEnvelopes, count: number, firstMinute = 0): AnEnvelope[] {
  const made = Array.from({ length: count }, (_, index) => anEnvelope(firstMinute + index));
  for (const envelope of made) vendor.envelopes.set(envelope.id, envelope);
  return made;
}

interface Landed {
  envelope_id: string;
  documents: number;
}

/** Returns what the company has of each envelope, and checks that all records agree. */
export async function expectReconciled(
  app: Pick<TestService, 'db'>,
  accountId: string,
  envelopes: readonly AnEnvelope[],
): Promise<void> {
  const landed = await app.db.query<Landed>({
    name: '',
    text: `select t.detail::jsonb ->> 'envelope_id' as envelope_id, count(*)::int as documents
           from documents d join audit_entries t on t.document_id = d.id and t.seq = 1
           where d.account_id = $1 and d.is_migrated and d.status = 'completed' group by 1`,
    values: [accountId],
  });
  const once = (ids: readonly string[]) => ids.toSorted().map((id) => `${id} × 1`);
  expect(landed.map(({ envelope_id, documents }) => `${envelope_id} × ${documents}`).sort()).toEqual(
    once(envelopes.map(({ id }) => id)),
  );
  const [sums] = await app.db.query<Record<string, number>>({
    name: '',
    text: `select (select count(*)::int from imported_envelopes where account_id = $1) as known,
             (select count(*)::int from document_files where account_id = $1) as files,
             (select coalesce(sum(bytes), 0)::int from imported_envelopes where account_id = $1)
               - (select coalesce(sum(month_bytes), 0)::int from import_usage where account_id = $1) as uncharged,
             (select count(*)::int from imports m where account_id = $1 and (
                filed <> (select count(*) from import_items i where i.import_id = m.id and i.status = 'filed') or
                failed <> (select count(*) from import_items i where i.import_id = m.id and i.status = 'failed') or
                total_files <> (select count(*) from import_items i where i.import_id = m.id))) as miscounted,
             (select count(*)::int from stored_files f where reference_count <>
                (select count(*) from document_files d where d.sha256 = f.sha256)
                + (select count(*) from document_unlocks u where u.sha256 = f.sha256)) as misreferenced`,
    values: [accountId],
  });
  const count = envelopes.length;
  expect(sums).toEqual({ known: count, files: count, uncharged: 0, miscounted: 0, misreferenced: 0 });
}
