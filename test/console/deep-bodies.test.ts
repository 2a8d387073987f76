import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, signedIn, type Visitor } from './visitor.ts';

let app: TestService;
let visitor: Visitor;

beforeAll(async () => {
  app = await startTestService();
  const company = await createCompany(app);
  visitor = await signedIn(app, await addMember(app, company.id, 'owner'));
});
afterAll(() => app.stop());

/** Twice the depth at which recursion fails. */
const depth = 20_000;
const deepArray = '['.repeat(depth) + ']'.repeat(depth);

test('every action answers a body that nests deep, in each of its properties', async () => {
  const actions = consoleEndpoints.filter(({ body }) => body !== null);
  expect(actions.length).toBeGreaterThan(20);
  for (const { method, path, body } of actions) {
    const address = path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000');
    for (const name of [...Object.keys(body?.properties ?? {}), 'unknown']) {
      const value =
        (body?.properties[name] as { type?: string } | undefined)?.type === 'object' ? `{"a":${deepArray}}` : deepArray;
      const raw = new Uint8Array(Buffer.from(`{"${name}":${value}}`));
      const { status } = await visitor.call(method, address, raw);
      expect(status, `${path} ${name}`).toBeLessThan(500);
    }
  }
});

test('a compressed body is refused', async () => {
  const answer = await visitor.post('/sign-in', { email: 'a@b.co', password: 'x' }, { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(400);
});
