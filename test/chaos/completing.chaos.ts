import { afterEach, expect, test } from 'vitest';
import { openLinkOf } from '../signing/signer.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';

const documents = Number(process.env.CHAOS_DOCUMENTS ?? 1000);
/** Documents in progress at once. Each has two signers who sign at the same moment, one of them twice. */
const atOnce = 10;
const sealedWithinMs = 30 * 60_000;

let app: TestService;

afterEach(() => app.stop());

test(`${documents} documents, each signed by two at once, end completed, sealed once, with one event of it`, async () => {
  app = await startTestService();
  const company = await createCompany(app);
  const startedAt = performance.now();
  const ids: string[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (ids.length < documents) {
        const place = ids.push('') - 1;
        if (place % 200 === 0) app.clock.advance({ minutes: 1 }); // the plan's budget is per minute
        ids[place] = await completeOne(company);
      }
    }),
  );
  console.log(`${documents} documents signed after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  await eventually(
    () => count('documents where sealed_at is null'),
    (unsealed) => unsealed === 0,
    sealedWithinMs,
  );
  console.log(`all sealed after ${Math.round((performance.now() - startedAt) / 1000)} s`);

  expect(await count(`documents where status = 'completed' and sealed_file is not null`)).toBe(documents);
  expect(await perDocument('completed', 1)).toBe(documents);
  expect(await perDocument('sealed', 1)).toBe(documents);
  expect(await perDocument('signed', 2)).toBe(documents);
  expect(await count(`events where type = 'document.completed'`)).toBe(documents);
  expect(await count(`events where type = 'document.signed'`)).toBe(2 * documents);
  expect(await completedEvents()).toEqual(new Set(ids));
  expect(await count(`(select distinct sealed_file from documents) as files`)).toBe(documents);
});

/** Both sign at once, the first one twice. A double click signs once, and its second answer says so or repeats the first. */
async function completeOne(company: Company): Promise<string> {
  const recipients = [
    { name: 'Ada Lovelace', email: 'ada@example.com' },
    { name: 'Bob Babbage', email: 'bob@example.com' },
  ];
  const id = await createSent(app, company.key, { recipients });
  const [ada, bob] = await Promise.all(recipients.map(({ name }) => openLinkOf(app, company, id, name)));
  if (ada === undefined || bob === undefined) throw new Error('no links');
  const signature = (full_name: string) => ({ full_name, signature: { kind: 'typed' } });
  const answers = await Promise.all([
    ada.post('sign', signature('Ada Lovelace')),
    bob.post('sign', signature('Bob Babbage')),
    ada.post('sign', signature('Ada Lovelace')),
  ]);
  const [first, other, again] = answers.map(({ status }) => status);
  expect(other).toBe(200);
  expect([first, again]).toContain(200);
  return id;
}

async function count(what: string): Promise<number> {
  const [row] = await app.db.query<{ n: number }>({
    name: '',
    text: `select count(*)::int as n from ${what}`,
    values: [],
  });
  return row?.n ?? 0;
}

/** Counts the documents with this number of entries of one action in their audit trail. */
function perDocument(action: string, times: number): Promise<number> {
  return count(
    `(select document_id from audit_entries where action = '${action}'
      group by document_id having count(*) = ${times}) as documents_with_it`,
  );
}

async function completedEvents(): Promise<Set<string>> {
  const rows = await app.db.query<{ id: string }>({
    name: '',
    text: `select document_id as id from events where type = 'document.completed'`,
    values: [],
  });
  return new Set(rows.map(({ id }) => id));
}
