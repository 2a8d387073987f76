import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCcList } from '../../src/accounts/cc-lists.ts';
import { createFolder } from '../../src/accounts/folders.ts';
import { listMembers, type MemberRole } from '../../src/accounts/members.ts';
import type { ConsoleEndpoint } from '../../src/console/core/console-endpoint.ts';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { ensurePerson } from '../../src/identity/people.ts';
import { type Allowed, expectedAccess, expectedEndpoints } from '../security/console-access.ts';
import { checkBulk, csvOf } from '../support/bulk-send.ts';
import { createPublicLink } from '../support/public-link.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, signedIn, type Visitor, visit } from './visitor.ts';

/** Every console endpoint, called by every kind of caller, compared with the table of expected access. */
let app: TestService;
let company: Company;
let documentId: string;
let importId: string;
let templateId: string;
let bulkSendId: string;
let linkId: string;
let folderId: string;
let ccListId: string;
let target: Member;
const visitors = new Map<string, () => Promise<Visitor>>();

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  const other = await createCompany(app);
  documentId = await createSent(app, company.key);
  importId = await createImport(company.id);
  const bulkSend = await checkBulk(app, company, csvOf(1));
  templateId = bulkSend.templateId;
  bulkSendId = bulkSend.id;
  linkId = (await createPublicLink(app, company, {}, { templateId })).id;
  target = await addMember(app, company.id, 'member');
  const key = { name: 'Personnel', key: 'personnel', isOpen: false };
  folderId = (await app.db.transaction((tx) => createFolder(app.world, tx, company.id, key, null)))?.id ?? '';
  const cc = { name: 'Board', key: 'board', isDefault: false, people: [{ name: 'Ada', email: 'ada@example.com' }] };
  ccListId = (await app.db.transaction((tx) => createCcList(app.world, tx, company.id, cc, null)))?.id ?? '';
  const people: [string, string, MemberRole][] = [
    ['member', company.id, 'member'],
    ['admin', company.id, 'admin'],
    ['owner', company.id, 'owner'],
    ['owner of another company', other.id, 'owner'],
  ];
  for (const [who, accountId, role] of people) {
    const member = await addMember(app, accountId, role);
    visitors.set(who, () => signedIn(app, member));
  }
  visitors.set('signed out', async () => visit(app));
  const person = await ensurePerson(app.world, app.db, 'recipient@example.com');
  visitors.set('signed in without a company', () => signedIn(app, { personId: person.id }));
});
afterAll(() => app.stop());

/** A finished import without documents. */
async function createImport(accountId: string): Promise<string> {
  const id = app.world.newId();
  const now = app.clock.now();
  await app.db.query({
    name: '',
    text: `insert into imports (id, account_id, source, status, unlock_doc, total_files, created_at, finished_at)
           values ($1, $2, 'upload', 'finished', false, 0, $3, $3)`,
    values: [id, accountId, now],
  });
  return id;
}

const rank: Record<Exclude<Allowed, 'anyone'>, number> = { signed_in: 0, member: 1, admin: 2, owner: 3, operator: 4 };
const everybody = [
  'signed out',
  'signed in without a company',
  'member',
  'admin',
  'owner',
  'owner of another company',
] as const;
type Who = (typeof everybody)[number];
const roleOf = {
  'signed in without a company': 'signed_in',
  member: 'member',
  admin: 'admin',
  owner: 'owner',
  'owner of another company': 'owner',
} as const;

const aboutMembers = (endpoint: ConsoleEndpoint) => endpoint.path.startsWith('/members/:id');
const aboutDocuments = (endpoint: ConsoleEndpoint) => endpoint.path.startsWith('/documents/:id');
const aboutTemplates = (endpoint: ConsoleEndpoint) => endpoint.path.startsWith('/templates/:id');
const aboutFolders = (endpoint: ConsoleEndpoint) => endpoint.path.startsWith('/folders/:id');
const aboutCcLists = (endpoint: ConsoleEndpoint) => endpoint.path.startsWith('/cc-lists/:id');
const aboutImports = (endpoint: ConsoleEndpoint) => endpoint.path.startsWith('/imports/:id');

/** Returns the error code of a refusal. Null if the caller is admitted, whatever the answer to an empty body is. */
function expectedRefusal(endpoint: ConsoleEndpoint, who: Who): string | null {
  const { allowed } = expectedAccess(endpoint.method, endpoint.path);
  if (allowed === 'anyone') return null;
  if (who === 'signed out') return 'not_signed_in';
  if (rank[roleOf[who]] < rank[allowed]) return 'forbidden';
  const isAboutOne = [aboutMembers, aboutDocuments, aboutTemplates, aboutFolders, aboutCcLists, aboutImports].some(
    (about) => about(endpoint),
  );
  return isAboutOne && who === 'owner of another company' ? 'not_found' : null;
}

function idFor(endpoint: ConsoleEndpoint): string {
  if (aboutDocuments(endpoint)) return documentId;
  if (aboutTemplates(endpoint)) return templateId;
  if (aboutFolders(endpoint)) return folderId;
  if (aboutCcLists(endpoint)) return ccListId;
  return aboutImports(endpoint) ? importId : target.id;
}

/** Sends a valid request, so that a refusal is due to the caller and not to the input. */
function bodyOf({ method, path }: ConsoleEndpoint, who: Who): object | undefined {
  if (method !== 'POST') return undefined;
  if (path === '/members') return { email: `invited-by-${who.replaceAll(' ', '-')}@example.com`, role: 'member' };
  if (path.startsWith('/cc-lists')) {
    return {
      name: `List by ${who}`,
      is_default: false,
      people: [{ name: 'Ada', email: 'ada@example.com' }],
      version: 1,
    };
  }
  if (path === '/folders') return { name: `Folder by ${who}`, is_open: false };
  if (path === '/folders/:id/name') return { name: 'Personnel' };
  if (path === '/folders/:id/open') return { is_open: false };
  if (path === '/folders/:id/members') return { member_id: target.id, role: 'viewer' };
  if (path === '/documents/move') return { ids: [documentId], folder: null };
  if (path.endsWith('/role')) return { role: 'member' };
  if (path === '/documents/views') return { name: 'Unsigned', search: 'status=sent' };
  if (path === '/documents/views/remove') return { name: 'Unsigned' };
  if (path.endsWith('/schedule')) return { version: 1, send_at: '2026-03-11T12:00:00Z' };
  if (path.endsWith('/return')) return { note: 'The price is missing' };
  if (path.endsWith('/void')) return { reason: 'No longer needed' };
  if (path.endsWith('/reassign')) return { name: 'Grace Hopper', email: 'grace@example.com' };
  if (path === '/documents/:id') return { version: 1, title: 'Roof repair', recipients: [] };
  if (path.endsWith('/fields')) return { version: 1, fields: [] };
  if (path.endsWith('/parts/order')) return { version: 1, parts: [1] };
  if (path === '/templates') return { title: 'Lease', recipients: [] };
  if (path.endsWith('/use')) return { version: 1, title: 'Lease', recipients: [] };
  if (path.endsWith('/unlock')) return { pages: 1 };
  if (path.endsWith('/unlocked')) return { pages: [{ page: 1, version: 0, base: '', blocks: [] }] };
  if (path.includes('/unlocked/')) return { version: 0 };
  if (path.endsWith('/start')) return { skip_faulty: false };
  if (path.endsWith('/in-person')) return { sign_out: false };
  return undefined;
}

describe.each(consoleEndpoints.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))(
  '$name',
  ({ endpoint }) => {
    test.each(everybody)('by %s', async (who) => {
      if (endpoint.path.endsWith('/invitation') || endpoint.path.endsWith('/role') || endpoint.method === 'DELETE') {
        const isThere = (await listMembers(app.db, company.id)).some(({ id }) => id === target.id);
        if (!isThere) target = await addMember(app, company.id, 'member');
      }
      const visitor = await (visitors.get(who) as () => Promise<Visitor>)();
      const id = idFor(endpoint);
      const path = endpoint.path
        .replace(':id', id)
        .replace(':page', '1')
        .replace(':recipient', id)
        .replace(':bulk', bulkSendId)
        .replace(':link', linkId)
        .replace(':member', target.id);
      const answer = await visitor.call(endpoint.method, path, bodyOf(endpoint, who));
      const expected = expectedRefusal(endpoint, who);
      if (expected !== null) expect(answer.body?.error?.code).toBe(expected);
      else if (aboutMembers(endpoint)) expect(answer.status).toBe(200);
      else
        expect(['forbidden', ...(endpoint.path.includes('second-factor') ? [] : ['not_signed_in'])]).not.toContain(
          answer.body?.error?.code,
        );
      expect(answer.status).toBeLessThan(500);
    });
  },
);

test('the table of expected access has a line for every endpoint, and for nothing else', () => {
  const declared = consoleEndpoints.map(({ method, path }) => `${method} ${path}`);
  expect(expectedEndpoints.toSorted()).toEqual(declared.toSorted());
});

test('a list of members shows those of the own company alone', async () => {
  const visitor = await (visitors.get('owner of another company') as () => Promise<Visitor>)();
  const { body } = await visitor.get('/members?limit=100');
  const own = new Set(body.data.map(({ id }: { id: string }) => id));
  for (const { id } of await listMembers(app.db, company.id)) expect(own.has(id)).toBe(false);
  expect(own.size).toBeGreaterThan(0);
});

test('an API key opens nothing of the console, and a session nothing of the API', async () => {
  const { key } = await createCompany(app);
  const withKey = await visit(app).call('GET', '/me', undefined, { authorization: `Bearer ${key}` });
  expect(withKey.body.error.code).toBe('not_signed_in');
  const owner = await (visitors.get('owner') as () => Promise<Visitor>)();
  const { status, body } = await owner.page('/api/v1/account');
  expect([status, body.error.code]).toEqual([401, 'missing_authorization']);
});

test('sensitive endpoints ask for a new confirmation after 15 minutes, and no others do', async () => {
  const visitor = await (visitors.get('owner') as () => Promise<Visitor>)();
  app.clock.advance({ minutes: 16 });
  for (const { method, path } of consoleEndpoints) {
    if (path === '/sign-out') continue;
    const { body } = await visitor.call(method, path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000'));
    const isRefused = body?.error?.code === 'sign_in_again';
    expect(isRefused, `${method} ${path}`).toBe(expectedAccess(method, path).isFresh);
  }
});
