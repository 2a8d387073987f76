import { afterEach, expect, test } from 'vitest';
import { crashWhileMigrating } from '../esign/crash-loop.ts';
import { startVendor, type Vendor } from '../esign/vendor/vendor.ts';
import { endServers, type Ground, prepareGround } from '../support/process.ts';

let ground: Ground;
let vendor: Vendor;

afterEach(async () => {
  await endServers();
  await Promise.all([vendor.stop(), ground.clear()]);
});

test('kill -9 of two workers, fifty times, while 10,000 envelopes are migrated: each is one document', async () => {
  [ground, vendor] = await Promise.all([prepareGround(), startVendor({ toleratesReuse: true })]);
  const load = { envelopes: 10_000, crashes: 25, upMsMax: 4000, workers: 2, vendorMs: 100 };
  const told = await crashWhileMigrating(ground, vendor, load);
  expect(told).toContain('50 crashes');
  console.log(told);
});
