import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { removeMember } from '../../src/accounts/members.ts';
import { setStream } from '../../src/audit-stream/manage-stream.ts';
import { setDomain } from '../../src/custom-domain/manage-domain.ts';
import { saveSignature } from '../../src/identity/saved-signatures.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { addDomain } from '../../src/sso/domains.ts';
import { addMember } from '../console/visitor.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { createEndpoint, secretBoxOf } from '../support/webhooks.ts';
import { holdRow, interleave } from './interleave.ts';

/** A company is removed while it claims or sets something that must not outlive it. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

const change = () => ({ accountId: company.id, personId: null });
const inTransaction = (work: (tx: Tx) => Promise<unknown>) => () => app.db.transaction(work);
const count = async (what: string): Promise<number> => {
  const text = `select 1 from ${what} and account_id = $1`;
  return (await app.db.query({ name: '', text, values: [company.id] })).length;
};

test.each([
  ['its own host', 'custom_domains where true', (tx: Tx) => setDomain(app.world, tx, change(), 'sign.example.com')],
  [
    'an e-mail domain',
    'sso_domains where true',
    (tx: Tx) => addDomain(app.world, tx, { ...change(), domain: 'example.com' }),
  ],
  [
    'the stream of its audit log',
    'audit_streams where true',
    async (tx: Tx) => {
      const destination = { kind: 'webhook', url: 'https://log.example.com/', concern: null } as const;
      await setStream(app.world, tx, await secretBoxOf(app), change(), destination);
    },
  ],
  ['an endpoint', 'webhook_endpoints where removed_at is null', null],
] as const)('a company that is removed just before or after it sets %s keeps nothing', async (_name, kept, set) => {
  const setting =
    set === null ? () => createEndpoint(app, company.id, 'https://hook.example.com/') : inTransaction(set);
  const removing = inTransaction((tx) => removeAccount(app.world, tx, company.id));
  const hold = () => holdRow('accounts', 'id', company.id);

  const [first, second] = await interleave<unknown, unknown>(app, hold(), setting, removing);
  expect([first, second]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await count(kept)).toBe(0);

  company = await createCompany(app);
  await interleave<unknown, unknown>(app, hold(), removing, setting);
  expect(await count(kept)).toBe(0);
});

test('a company that is removed twice at once is removed once', async () => {
  const removing = inTransaction((tx) => removeAccount(app.world, tx, company.id));
  const both = await interleave<unknown, unknown>(app, holdRow('accounts', 'id', company.id), removing, removing);
  expect(both).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await count(`account_audit_entries where action = 'account_removed'`)).toBe(1);
});

test.each(['member', 'company'])(
  'what is saved to sign with while its last %s is removed is not kept',
  async (what) => {
    for (const isSavedFirst of [true, false]) {
      company = await createCompany(app);
      const member = await addMember(app, company.id, 'member');
      const save = async (tx: Tx) => {
        const content = { kind: 'typed', text: 'Ada Lovelace' } as const;
        await saveSignature(app.world, tx, await secretBoxOf(app), member.personId, 'signature', content);
      };
      const remove = (tx: Tx) =>
        what === 'member' ? removeMember(app.world, tx, member.id, null) : removeAccount(app.world, tx, company.id);
      const [first, second] = isSavedFirst ? [save, remove] : [remove, save];
      const [ended] = await interleave(app, first, inTransaction(second), async () => {});
      expect(ended).toMatchObject({ ok: true });
      const kept = 'select 1 from saved_signatures where person_id = $1';
      expect(await app.db.query({ name: '', text: kept, values: [member.personId] })).toEqual([]);
    }
  },
);
