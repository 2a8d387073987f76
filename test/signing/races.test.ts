import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireDocuments } from '../../src/documents/expire-documents.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { operate } from '../api/operate.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { actionsOf, openLinkOf, signature } from './signer.ts';

/** Two concurrent changes of one document: the second one sees the result of the first. */
let app: TestService;
let company: Company;

const rounds = 12;
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const signerOf = async (changes: object = {}) => {
  const id = await createSent(app, company.key, { recipients: [ada], ...changes });
  return { id, signer: await openLinkOf(app, company, id, ada.name) };
};
const statusOf = async (id: string) => (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status;
const voidIt = (id: string) =>
  operate(app, id, (tx, document, queue) => voidDocument(app.world, tx, queue, document, 'operator', 'Wrong price'));

/** Returns the final audit entries, sorted, because ids of two processes in the same millisecond have no order. */
async function endsOf(id: string): Promise<string[]> {
  const rows = await app.db.query<{ type: string }>({
    name: '',
    text: 'select type from events where document_id = $1 order by type',
    values: [id],
  });
  return rows.map(({ type }) => type).filter((type) => !/sent|viewed/.test(type));
}

test('signing and voiding: what was signed is voided, or what is voided is not signed', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, signer } = await signerOf();
    const [signed] = await Promise.all([signer.post('sign', signature), voidIt(id)]);
    expect(await statusOf(id)).toBe('voided');
    const ends = await endsOf(id);
    if (signed.status === 200) {
      expect(ends).toEqual(['document.completed', 'document.signed', 'document.voided']);
    } else {
      expect(signed.body.error.code).toBe('document_voided');
      expect(ends).toEqual(['document.voided']);
    }
  }
});

test('signing in the last moment and expiring: completed, or expired and not signed', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, signer } = await signerOf({ content: { expires_in_days: 1 } });
    app.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    const signing = signer.post('sign', signature);
    // Some rounds let the request arrive first, so that both outcomes occur.
    if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round));
    app.clock.advance({ seconds: 1 });
    await expireDocuments(app.world, app.db, await app.queue());
    const signed = await signing;
    const status = await statusOf(id);
    const actions = await actionsOf(app, company, id);
    if (signed.status === 200) {
      expect(status).toBe('completed');
      expect(actions).not.toContain('expired');
    } else {
      expect(signed.body.error.code).toBe('document_expired');
      expect(status).toBe('expired');
      expect(actions).not.toContain('signed');
      expect(actions.filter((action) => action === 'expired')).toHaveLength(1);
    }
  }
});

test('declining and voiding: voided in the end, and declined before that or not at all', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, signer } = await signerOf();
    const [declined] = await Promise.all([signer.post('decline', { reason: 'No' }), voidIt(id)]);
    expect(await statusOf(id)).toBe('voided');
    const ends = await endsOf(id);
    expect(ends).toEqual(declined.status === 200 ? ['document.declined', 'document.voided'] : ['document.voided']);
  }
});

test('a double click of both signers at once: one signature each, completed once', async () => {
  const recipients = [ada, { name: 'Grace Hopper', email: 'grace@example.com' }];
  for (let round = 0; round < rounds; round++) {
    const id = await createSent(app, company.key, { recipients });
    const signers = await Promise.all(recipients.map(({ name }) => openLinkOf(app, company, id, name)));
    const answers = await Promise.all([...signers, ...signers].map((signer) => signer.post('sign', signature)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const types = await endsOf(id);
    expect(types).toEqual(['document.completed', 'document.signed', 'document.signed']);
    expect((await actionsOf(app, company, id)).filter((action) => action === 'signed')).toHaveLength(2);
  }
});
