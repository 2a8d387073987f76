import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, password, signedIn, visit } from './visitor.ts';

let app: TestService;
let company: Company;
let lines: Array<Record<string, unknown>> = [];

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(
      ...String(text)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    return true;
  });
  app = await startTestService({ env: { LOG_LEVEL: 'warn' } });
  company = await createCompany(app);
});
afterAll(async () => {
  await app.stop();
  vi.restoreAllMocks();
});

const logged = () => lines.filter(({ message }) => message === 'a console request was refused');

test('attempts to get around a control are logged with route, code and address, and without secrets', async () => {
  const member = await addMember(app, company.id, 'member');
  const visitor = await signedIn(app, member);
  lines = [];
  await visitor.get('/keys');
  await visitor.post('/sign-out', {}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
  for (let tries = 1; tries <= 11; tries += 1) {
    await visit(app).post('/sign-in', { email: member.email, password: 'wrong secret' });
  }
  expect(logged().map(({ code }) => code)).toEqual([
    'forbidden',
    'foreign_origin',
    ...Array(10).fill('wrong_credentials'),
    'too_many_tries',
  ]);
  expect(logged()[0]).toMatchObject({
    level: 'warn',
    route: '/console/api/keys',
    code: 'forbidden',
    ip: '127.0.0.1',
    request_id: expect.any(String),
  });
  const text = JSON.stringify(lines);
  for (const secret of ['wrong secret', password, member.email]) expect(text).not.toContain(secret);
});

test('an ordinary refusal is not an attempt', async () => {
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  lines = [];
  await owner.get('/documents/0198f3c2-5b7e-7c41-9d2a-6f1e8b0c4a35');
  await owner.post('/keys', { name: 1 });
  await visit(app).get('/me');
  expect(logged()).toEqual([]);
});
