import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { pauseStream, resumeStream, rollStreamSecret } from '../../src/audit-stream/manage-stream.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { addMember, password, signedIn, visit } from '../console/visitor.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { secretBoxOf } from '../support/webhooks.ts';
import { drained, failed, failedLate, loggedIds, note, stateOf, streamTo } from './streams.ts';

let app: TestService;
/** Waits for a short time only. */
let hasty: TestService;
let company: { id: string };
let receiver: Receiver;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '60000' } });
  hasty = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '5000' } });
});
afterAll(async () => {
  await app.stop();
  await hasty.stop();
});
beforeEach(async () => {
  company = await createCompany(app);
  const started = await startReceiver();
  receiver = started;
  onTestFinished(() => started.stop());
});

const entriesOf = ({ received }: Receiver) => received.flatMap(({ event }) => event.data.entries);
const namesOf = (from: Receiver) => entriesOf(from).map(({ detail }) => detail.name);

test('a webhook gets every entry in order, in signed batches, beginning with the one of its setting', async () => {
  await note(app, app.db, company.id, 'before');
  const { secret } = await streamTo(app, company.id, receiver.url);
  const member = await addMember(app, company.id, 'owner', 'ñandú-stream@example.com');
  await note(app, app.db, company.id, 'by a person', { personId: member.personId });
  for (let n = 0; n < 250; n++) await note(app, app.db, company.id, n);
  const state = await drained(app, company.id);

  const ids = await loggedIds(app, company.id);
  expect(entriesOf(receiver).map(({ id }) => id)).toEqual(ids);
  expect(state).toMatchObject({ sent_entries: ids.length, last_entry_id: ids.at(-1), failures: 0 });
  expect(entriesOf(receiver).slice(0, 3)).toMatchObject([
    {
      action: 'audit_stream_set',
      by: { kind: 'operator', email: null, is_member: false },
      text: `set where the audit log is streamed to: ${receiver.url}`,
      detail: { kind: 'webhook', url: receiver.url },
    },
    { action: 'member_invited' },
    { action: 'folder_created', by: { kind: 'person', email: 'ñandú-stream@example.com', is_member: true } },
  ]);
  for (const received of receiver.received) {
    expect(isSignedWith(secret ?? '', received, app.clock.now()), 'signed').toBe(true);
    expect(received.headers).toMatchObject({
      'x-service-event': 'audit_log.entries',
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
    });
    expect(received.event).toMatchObject({ type: 'audit_log.entries', data: { account_id: company.id } });
    expect(received.event.data.entries.length).toBeLessThanOrEqual(100);
  }
});

test('an entry that commits after later ones is sent, and none is skipped or repeated', async () => {
  await streamTo(app, company.id, receiver.url);
  await drained(app, company.id);
  // It gets its id first and commits last.
  let commit: (() => void) | null = null;
  const late = app.db.transaction(async (tx) => {
    await note(app, tx, company.id, 'late');
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await eventually(
    async () => commit,
    (found) => found !== null,
  );
  app.clock.advance({ seconds: 1 });
  await note(app, app.db, company.id, 'early');
  await drained(app, company.id);
  expect(namesOf(receiver).slice(-1)).toEqual(['early']);
  (commit as unknown as () => void)();
  await late;
  await drained(app, company.id);
  expect(namesOf(receiver).slice(-2)).toEqual(['early', 'late']);
  expect(
    entriesOf(receiver)
      .map(({ id }) => id)
      .sort(),
  ).toEqual((await loggedIds(app, company.id)).sort());
});

test('sign-ins of a member are sent once they have opened the company, as its audit log shows them', async () => {
  await streamTo(app, company.id, receiver.url);
  const member = await addMember(app, company.id, 'member', 'own-entries@example.com');
  const by = { personId: member.personId } as const;
  await note(app, app.db, null, 'before opening', { action: 'password_set', ...by });
  await drained(app, company.id);
  expect(namesOf(receiver)).not.toContain('before opening');

  await signedIn(app, member);
  // The ids of the service and of this test only ascend together from one moment to the next.
  app.clock.advance({ seconds: 1 });
  await note(app, app.db, null, 'after opening', { action: 'password_set', ...by });
  await drained(app, company.id);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  await drained(app, company.id);
  const shown = (await owner.get('/audit-log?limit=100')).body.data.map(({ id }: { id: string }) => id);
  const sent = entriesOf(receiver).map(({ id }) => id);
  expect(namesOf(receiver)).toContain('after opening');
  // The company was created before the stream.
  expect(shown.filter((id: string) => id >= (sent[0] as string)).sort()).toEqual([...sent].sort());
});

test('entries about a member’s sign-in that wait are sent although the member is removed', async () => {
  await streamTo(app, company.id, receiver.url);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const member = await addMember(app, company.id, 'member');
  app.clock.advance({ seconds: 1 });
  const visitor = await signedIn(app, member);
  await drained(app, company.id);
  await app.db.transaction((tx) => pauseStream(app.world, tx, { accountId: company.id, personId: null }));
  app.clock.advance({ seconds: 1 });
  const change = { current: password, password: 'a very odd sentence 77' };
  expect((await visitor.post('/password', change)).status).toBe(200);
  expect((await visit(app).post('/sign-in', { email: member.email, password: 'wrong' })).status).toBe(401);
  app.clock.advance({ seconds: 20 });
  expect((await owner.call('DELETE', `/members/${member.id}`)).status).toBe(200);
  expect((await visit(app).post('/sign-in', { email: member.email, password: 'wrong' })).status).toBe(401);
  app.clock.advance({ seconds: 1 });

  await app.db.transaction((tx) => resumeStream(app.world, tx, { accountId: company.id, personId: null }));
  await drained(app, company.id);
  const actions = entriesOf(receiver).map(({ action }) => action);
  expect(actions.slice(actions.indexOf('audit_stream_paused'))).toEqual([
    'audit_stream_paused',
    'password_set',
    'sign_in_failed',
    'member_removed',
    'audit_stream_resumed',
  ]);
});

test('a failure keeps the position, backs off with a limit, shows the error, and recovers in order', async () => {
  await streamTo(app, company.id, receiver.url);
  await drained(app, company.id);
  const { last_entry_id: position } = await stateOf(app, company.id);
  receiver.answer = (response) => response.writeHead(503).end('down');
  let due = app.clock.now().getTime();
  for (let n = 0; n < 3; n++) await note(app, app.db, company.id, n);
  const first = await failed(app, company.id, 1);
  expect(first).toMatchObject({ last_error: 'the receiver answered 503', last_entry_id: position, waiting: 3 });
  for (const [index, seconds] of [5, 15, 60, 300, 900, 900].entries()) {
    await failed(app, company.id, index + 1);
    const [row] = await app.db.query<{ at: string }>({
      name: '',
      text: 'select next_attempt_at as at from audit_streams where account_id = $1',
      values: [company.id],
    });
    // The attempt was made between the time that it was due and now.
    const next = new Date(row?.at ?? '').getTime();
    expect(next - due).toBeGreaterThanOrEqual(seconds * 1000);
    expect(next - app.clock.now().getTime()).toBeLessThanOrEqual(seconds * 1000);
    due = next;
    app.clock.advance({ seconds: Math.max(0, (due - app.clock.now().getTime()) / 1000) });
  }
  receiver.answer = (response) => response.end();
  receiver.received.length = 0;
  app.clock.advance({ minutes: 20 });
  const state = await drained(app, company.id);
  expect(state).toMatchObject({ failures: 0, failing_since: null, last_error: null });
  expect(namesOf(receiver)).toEqual(['0', '1', '2']);
});

test.each([
  [
    'a redirect',
    (r: Receiver) => (r.answer = (response) => response.writeHead(302, { location: '/' }).end()),
    'the receiver answered 302: redirects are not followed',
  ],
  [
    'a closed connection',
    (r: Receiver) => (r.answer = (response) => response.destroy()),
    expect.stringContaining('connection'),
  ],
])('%s is a failure, and the entries wait', async (_, set, reason) => {
  set(receiver);
  await streamTo(app, company.id, receiver.url);
  expect(await failed(app, company.id, 1)).toMatchObject({ last_error: reason, sent_entries: 0, waiting: 1 });
});

test('no answer is a failure, and the entries wait', async () => {
  receiver.answer = () => {};
  const { id } = await createCompany(hasty);
  await streamTo(hasty, id, receiver.url);
  const last_error = 'it took longer than 5000 ms for the response headers';
  expect(await failedLate(hasty, [id])).toMatchObject([{ last_error, sent_entries: 0, waiting: 1 }]);
});

test('dead destinations delay no other company', async () => {
  const dead = await startReceiver();
  onTestFinished(() => dead.stop());
  dead.answer = () => {};
  const others = await Promise.all(Array.from({ length: 20 }, () => createCompany(hasty)));
  for (const { id } of others) await streamTo(hasty, id, dead.url);
  await failedLate(
    hasty,
    others.map(({ id }) => id),
  );
  // All of them are due, and hang.
  hasty.clock.advance({ minutes: 20 });
  const before = dead.received.length;
  await eventually(
    async () => dead.received.length,
    (count) => count >= before + 8,
  );
  const own = await createCompany(hasty);
  const startedAt = dead.received.length;
  await streamTo(hasty, own.id, receiver.url);
  await drained(hasty, own.id);
  expect(entriesOf(receiver)).toHaveLength(1);
  // The failing streams have eight slots, and none of them ended meanwhile more than twice.
  expect(dead.received.length - startedAt).toBeLessThanOrEqual(16);
});

test('a clock that is set back does not stop a stream that works', async () => {
  await streamTo(app, company.id, receiver.url);
  await drained(app, company.id);
  app.clock.advance({ hours: -1 });
  const restarted = { world: { ...app.world, newId: createNewId(app.clock, systemRandom) } };
  await note(restarted, app.db, company.id, 'set back');
  await drained(app, company.id);
  app.clock.advance({ hours: 1 });
  expect(namesOf(receiver).slice(-1)).toEqual(['set back']);
});

test('what was written while a clock was ahead, and by the same process since, is sent soon after it is set back', async () => {
  await streamTo(app, company.id, receiver.url);
  await drained(app, company.id);
  app.clock.advance({ hours: 2 });
  await note(app, app.db, company.id, 'ahead');
  app.clock.advance({ hours: -2 });
  await note(app, app.db, company.id, 'set back');
  const setBackAt = app.clock.now();
  await drained(app, company.id);
  expect(app.clock.now().getTime() - setBackAt.getTime()).toBeLessThan(30 * 60_000);
  expect(namesOf(receiver).slice(-2)).toEqual(['ahead', 'set back']);
});

test('a paused stream sends nothing and keeps what comes; resumed, it sends all', async () => {
  await streamTo(app, company.id, receiver.url);
  await drained(app, company.id);
  const change = { accountId: company.id, personId: null };
  await app.db.transaction((tx) => pauseStream(app.world, tx, change));
  await note(app, app.db, company.id, 'while paused');
  const other = await createCompany(app);
  await streamTo(app, other.id, `${receiver.url}/other`);
  await drained(app, other.id);
  expect((await stateOf(app, company.id)).waiting).toBe(2);
  await app.db.transaction((tx) => resumeStream(app.world, tx, change));
  await drained(app, company.id);
  const own = receiver.received.filter(({ path }) => path === '/hook').flatMap(({ event }) => event.data.entries);
  expect(own.map(({ action }) => action).slice(-3)).toEqual([
    'audit_stream_paused',
    'folder_created',
    'audit_stream_resumed',
  ]);
});

test('after a roll, both secrets sign for a day, and then only the new one', async () => {
  const { secret: old } = await streamTo(app, company.id, receiver.url);
  const secretBox = await secretBoxOf(app);
  const rolled = await app.db.transaction((tx) =>
    rollStreamSecret(app.world, tx, secretBox, { accountId: company.id, personId: null }),
  );
  await drained(app, company.id);
  const last = () => receiver.received.at(-1) as Received;
  expect([old, rolled?.secret].map((secret) => isSignedWith(secret ?? '', last(), app.clock.now()))).toEqual([
    true,
    true,
  ]);
  app.clock.advance({ hours: 25 });
  await note(app, app.db, company.id, 'later');
  await drained(app, company.id);
  expect([old, rolled?.secret].map((secret) => isSignedWith(secret ?? '', last(), app.clock.now()))).toEqual([
    false,
    true,
  ]);
});

test('entries that wait go to a new destination, which has a secret of its own', async () => {
  receiver.answer = (response) => response.writeHead(500).end();
  const { secret: old } = await streamTo(app, company.id, receiver.url);
  await failed(app, company.id, 1);
  const next = await startReceiver();
  onTestFinished(() => next.stop());
  const { secret } = await streamTo(app, company.id, next.url);
  await drained(app, company.id);
  expect(entriesOf(next).map(({ action }) => action)).toEqual(['audit_stream_set', 'audit_stream_set']);
  const [first] = next.received as [Received];
  expect([old, secret].map((each) => isSignedWith(each ?? '', first, app.clock.now()))).toEqual([false, true]);
  // The same URL keeps it.
  expect((await streamTo(app, company.id, next.url)).secret).toBeNull();
});
