import { afterEach, test } from 'vitest';
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
  const wish = { envelopes: 10_000, crashes: 25, upMsMax: 8000, workers: 2 };
  console.log(await crashWhileMigrating(ground, vendor, wish));
});
