import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireDocuments } from '../../src/documents/expire-documents.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { addMember, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { openLinkOf, type Signer, signature } from '../signing/signer.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { noteRoutes, type Route } from '../support/note-routes.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Every address below a signing link, after the link has ended. */
let app: TestService;
let routes: Route[];
let company: Company;
let owner: Visitor;

beforeAll(async () => {
  ({ started: app, routes } = await noteRoutes(() => startTestService({ env: { ROLE: 'web' } })));
  company = await createCompany(app);
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
});
afterAll(() => app.stop());

interface Opened {
  id: string;
  recipient: string;
  field: string;
  signer: Signer;
}

/** Sends a document with a file and a field, and opens its link. */
async function opened(): Promise<Opened> {
  const id = await createDraft(app, company.key, { content: { expires_in_days: 3 } });
  await attachPdf(app, company, id);
  const [field] = await placeOn(app, company, id, [
    { recipient: 1, type: 'text', label: 'Secret door', required: false },
  ]);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  await signer.post('viewed');
  expect((await signer.page('/pages/1')).status).toBe(200);
  return { id, recipient: signer.recipientId, field: field?.id ?? '', signer };
}

const ends: Record<string, (document: Opened) => Promise<unknown>> = {
  voided: ({ id }) => owner.post(`/documents/${id}/void`, { reason: 'Wrong price' }),
  declined: ({ signer }) => signer.post('decline', { reason: 'The price is wrong' }),
  reassigned: ({ id, recipient }) =>
    owner.post(`/documents/${id}/recipients/${recipient}/reassign`, {
      name: 'Grace Hopper',
      email: 'grace@example.com',
    }),
  expired: async ({ id }) => {
    await app.db.query({
      name: '',
      text: 'update documents set expires_at = $2 where id = $1',
      values: [id, app.clock.now()],
    });
    await expireDocuments(app.world, app.db, await app.queue());
  },
};

describe.each(Object.keys(ends))('a signing link whose document was %s', (end) => {
  test('shows nothing of the file and changes nothing', async () => {
    const document = await opened();
    await ends[end]?.(document);
    const auditOf = () =>
      app.db.query({
        name: '',
        // The attestation of a refusal follows by itself.
        text: `select count(*) from audit_entries where document_id = $1 and action <> 'attested'`,
        values: [document.id],
      });
    const before = await auditOf();
    const below = routes.filter(({ url }) => url.startsWith('/sign/:token'));
    expect(below.length).toBeGreaterThan(10);
    const bodies: Record<string, unknown> = {
      sign: signature,
      progress: { fields: { [document.field]: 'Blue' } },
      decline: { reason: 'No' },
    };
    for (const { method, url } of below) {
      const path = url.slice('/sign/:token'.length).replace(':page', '1');
      if (method === 'GET') {
        const answer = await document.signer.page(path);
        expect(answer.headers.get('content-type'), path).not.toMatch(/^(image|application\/pdf)/);
        expect(answer.text, path).not.toContain('Secret door');
        if (path !== '') expect(answer.status, path).toBeGreaterThanOrEqual(400);
      } else if (method === 'POST') {
        const action = path.slice(1);
        const answer = await document.signer.post(action, bodies[action] ?? {});
        expect(answer.status, action).toBeLessThan(500);
        // Declining again gets the same answer as the first time.
        const isRepeated = end === 'declined' && action === 'decline';
        if (action in bodies && !isRepeated) expect(answer.status, action).toBeGreaterThanOrEqual(400);
      }
    }
    expect(await auditOf()).toEqual(before);
  });
});

test('a sign-in link ends when it is used, when it runs out, and when the password changes', async () => {
  const usedBy = await addMember(app, company.id, 'member');
  const used = await mintSignInLink(app.world, app.db, usedBy.personId, 'email');
  expect((await visit(app).useLink(used)).status).toBe(200);
  const late = await mintSignInLink(app.world, app.db, usedBy.personId, 'email');
  const changed = await mintSignInLink(app.world, app.db, usedBy.personId, 'email');
  const browser = await signedIn(app, usedBy);
  const password = { current: 'correct horse battery', password: 'nine silver anvils' };
  expect((await browser.post('/password', password)).status).toBe(200);
  const expired = await mintSignInLink(app.world, app.db, usedBy.personId, 'email');
  app.clock.advance({ days: 8 });
  for (const token of [used, late, changed, expired]) {
    expect((await visit(app).page(`/sign-in/${token}`)).status).toBe(410);
    expect((await visit(app).useLink(token)).status).toBe(410);
  }
});

test('a preview ends when its draft is sent', async () => {
  // Sessions have expired by now.
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const id = await createDraft(app, company.key);
  const recipient = (await owner.get(`/documents/${id}`)).body.recipients[0].id;
  const preview = `/documents/${id}/recipients/${recipient}/preview`;
  expect((await owner.get(preview)).status).toBe(200);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect((await owner.get(preview)).status).toBe(409);
});
