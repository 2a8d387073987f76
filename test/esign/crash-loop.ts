import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { randomBetween } from '../crash/outcome.ts';
import { type Ground, startServer } from '../support/process.ts';
import { createCompany } from '../support/service.ts';
import { expectReconciled, fill, finished, startMigration } from './migrate.ts';
import { connectCompany } from './vendor/connect-company.ts';
import { refuse } from './vendor/envelopes.ts';
import type { Vendor } from './vendor/vendor.ts';

export interface CrashWish {
  envelopes: number;
  crashes: number;
  upMsMax: number;
  /** That run beside each other; each is killed so often. */
  workers: number;
  /** How long the vendor takes for each answer. */
  vendorMs: number;
}

/** Of envelopes, one of so many is broken, and the vendor stumbles at one of so many requests. */
const brokenEvery = 97;
const stumblesEvery = 151;
const expiredAgainMs = 10_000;

/**
 * Migrates while the workers are killed again and again, the vendor limits its calls, forgets tokens and lists what
 * shifts. At the end every envelope is one document, or one failure with its reason. Returns what to print.
 */
export async function crashWhileMigrating(ground: Ground, vendor: Vendor, wish: CrashWish): Promise<string> {
  const web = await startServer({ ...ground.settings, ...vendor.env, ROLE: 'web' });
  const startWorker = () => startServer({ ...ground.settings, ...vendor.env, ROLE: 'worker' });
  const company = await createCompany(ground);
  await connectCompany({ ...ground, baseUrl: web.baseUrl }, company.id);
  const envelopes = fill(vendor.api, wish.envelopes);
  const broken = envelopes.filter((_, index) => index % brokenEvery === brokenEvery - 1);
  for (const { id } of broken) {
    vendor.api.hands.set(id, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4 and nothing more'.padEnd(2000));
      return true;
    });
  }
  stumble(vendor, wish.vendorMs);

  const { body } = await startMigration(web, company);
  let isDone = false;
  let crashes = 0;
  const crash = async () => {
    let server = await startWorker();
    for (let crash = 0; !isDone && crash < wish.crashes; crash += 1) {
      await sleep(randomBetween(50, wish.upMsMax));
      if (isDone) break;
      server.kill('SIGKILL');
      await server.ended;
      crashes += 1;
      server = await startWorker();
    }
  };
  const done = finished(web, company, body.id, 3_600_000).finally(() => {
    isDone = true;
  });
  await Promise.all([done, ...Array.from({ length: wish.workers }, crash)]);
  expect(await done).toMatchObject({
    total_files: envelopes.length,
    filed: envelopes.length - broken.length,
    failed: broken.length,
  });
  const isBroken = new Set(broken);
  await expectReconciled(
    ground,
    company.id,
    envelopes.filter((envelope) => !isBroken.has(envelope)),
  );
  const downloads = [...vendor.api.downloads.values()].reduce((sum, times) => sum + times, 0);
  return `${envelopes.length} envelopes, ${downloads} downloads, ${crashes} crashes, ${vendor.oauth.refreshes()} refreshes`;
}

function stumble(vendor: Vendor, vendorMs: number): void {
  let requests = 0;
  let expiredAt = 0;
  vendor.api.onRequest = async (_what, response) => {
    requests += 1;
    const stumbles = requests / stumblesEvery;
    await sleep(vendorMs);
    if (!Number.isInteger(stumbles)) return false;
    switch (stumbles % 3) {
      case 0:
        vendor.api.budget.burst(5, 1);
        return false;
      case 1:
        // Not twice while somebody still waits for the first of the new tokens: the vendor would seem to refuse that.
        if (performance.now() > expiredAt + expiredAgainMs) {
          expiredAt = performance.now();
          vendor.oauth.expireAccessTokens();
        }
        return false;
      default:
        refuse(response, 500, 'UNSPECIFIED_ERROR');
        return true;
    }
  };
}
