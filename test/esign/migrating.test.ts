import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { expectReconciled, fill, finished, startMigration } from './migrate.ts';
import { connectCompany } from './vendor/connect-company.ts';
import { startVendor, type Vendor } from './vendor/vendor.ts';

/** Migrations of a vendor's envelopes, through the front door, against a vendor that speaks DocuSign. */
let vendor: Vendor;
let app: TestService;

beforeAll(async () => {
  vendor = await startVendor();
  app = await startTestService({ env: vendor.env });
});
afterAll(async () => {
  await app.stop();
  await vendor.stop();
});

async function connected(): Promise<Company> {
  const company = await createCompany(app);
  await connectCompany(app, company.id);
  vendor.api.envelopes.clear();
  vendor.api.pages.length = 0;
  return company;
}

test('it answers at once with every count at zero, and each envelope becomes one completed document', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 250);
  const started = await startMigration(app, company);
  expect([started.status, started.body]).toEqual([
    201,
    {
      object: 'import',
      id: expect.any(String),
      source: 'esign_vendor',
      status: 'running',
      total_files: 0,
      filed: 0,
      failed: 0,
      remaining: 0,
      created_at: app.clock.now().toISOString(),
      finished_at: null,
    },
  ]);
  const end = await finished(app, company, started.body.id);
  expect(end).toMatchObject({ total_files: 250, filed: 250, failed: 0, remaining: 0 });
  await expectReconciled(app, company.id, envelopes);
}, 60_000);
