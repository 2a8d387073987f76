import { afterEach, expect, test } from 'vitest';
import { endServers, type Ground, prepareGround } from '../support/process.ts';
import { crashWhileMigrating } from './crash-loop.ts';
import { startVendor, type Vendor } from './vendor/vendor.ts';

let ground: Ground;
let vendor: Vendor;

afterEach(async () => {
  await endServers();
  await Promise.all([vendor.stop(), ground.clear()]);
});

test('kill -9 of the worker in mid-sweep: every envelope is one document, or one failure with its reason', async () => {
  [ground, vendor] = await Promise.all([prepareGround(), startVendor({ toleratesReuse: true })]);
  const told = await crashWhileMigrating(ground, vendor, {
    envelopes: 300,
    crashes: 3,
    upMsMax: 900,
    workers: 1,
    vendorMs: 50,
  });
  expect(told).toContain('3 crashes');
});
