import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchLocally } from '../support/fetch-locally.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { signerOf } from './signer.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

test('the form without a script names a verification that has ended, not the fields', async () => {
  const { signer } = await signerOf(app, company);
  const response = await fetchLocally(`${signer.link}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'action=sign&full_name=&initials=',
  });
  const page = await response.text();
  expect([
    response.status,
    page.includes('Your verification expired'),
    page.includes('This name cannot be used'),
  ]).toEqual([403, true, false]);
});
