import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aPdf } from '../imports/a-pdf.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { call, createCompany, eventually, startTestService, TestClock, type TestService } from '../support/service.ts';
import { addMember, signedIn } from './visitor.ts';

let ground: Ground;
let next: TestService | null = null;

beforeEach(async () => {
  ground = await prepareGround();
});
afterEach(async () => {
  await endServers();
  await next?.stop();
  await ground.clear();
});

/** An upload that has been running for an hour. */
function laterClock(): TestClock {
  const clock = new TestClock();
  clock.advance({ seconds: (Date.now() - clock.now().getTime()) / 1000 + 3600 });
  return clock;
}

test('kill -9 in the middle of an upload leaves nothing running and nothing reserved; what was in stays', async () => {
  const company = await createCompany(ground);
  const member = await addMember(ground, company.id, 'member');
  const server = await startServer(ground.settings);
  const visitor = await signedIn({ ...ground, baseUrl: server.baseUrl }, member);
  const [first, second] = [aPdf(), aPdf({ bytes: 400_000 })];
  const { body } = await visitor.post('/imports/uploads', {
    files: [first, second, second].map((pdf, index) => ({ name: `${index}.pdf`, bytes: pdf.length })),
    unlock_doc: false,
  });
  const pathOf = (index: number) => `/imports/${body.id}/items/${body.items[index]}/file`;
  await visitor.upload(pathOf(0), new Uint8Array(first));
  const cut = httpRequest(new URL(`/console/api${pathOf(1)}`, server.baseUrl), {
    method: 'POST',
    headers: {
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: new URL(server.baseUrl).origin,
      'content-length': second.length,
    },
  }).on('error', () => {});
  cut.write(second.subarray(0, 100_000));
  const statuses = async () =>
    (
      await ground.db.query<{ status: string }>({
        name: '',
        text: 'select status from import_items order by id',
        values: [],
      })
    ).map(({ status }) => status);
  await eventually(statuses, (found) => found[1] === 'running');
  server.kill('SIGKILL');
  await server.ended;

  next = await startTestService({
    databaseUrl: ground.databaseUrl,
    clock: laterClock(),
    env: { DATA_DIR: ground.dataDir },
  });
  const app = next;
  const shown = await eventually(
    async () => (await call(app, 'GET', `/imports/${body.id}`, { key: company.key })).body,
    ({ status }) => status === 'finished',
  );
  expect(shown).toMatchObject({ source: 'upload', filed: 1, failed: 2, remaining: 0 });
  const [reserved] = await ground.db.query<object>({
    name: '',
    text: `select sum(reserved_bytes)::int as bytes, count(*) filter (where reason = 'interrupted')::int as cut
           from import_items`,
    values: [],
  });
  expect(reserved).toEqual({ bytes: 0, cut: 2 });
  const again = await signedIn(app, member);
  expect((await again.upload(pathOf(1), new Uint8Array(second))).body).toMatchObject({ status: 'filed' });
});
