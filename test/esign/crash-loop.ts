import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { randomBetween } from '../crash/outcome.ts';
import { type Ground, startServer } from '../support/process.ts';
import { createCompany } from '../support/service.ts';
import { expectReconciled, fill, finished, startMigration } from './migrate.ts';
import { connectCompany } from './vendor/connect-company.ts';
import type { AnEnvelope } from './vendor/envelope.ts';
import { refuse } from './vendor/envelopes.ts';
import type { Vendor } from './vendor/vendor.ts';

export interface CrashWish {
  envelopes: number;
  crashes: number;
  upMsMax: number;
  /** Number of concurrent workers. Each is killed this often. */
  workers: number;
  /** Time that the vendor takes for each answer. */
  vendorMs: number;
}

/** One of this many envelopes is broken, and the vendor fails at one of this many requests. */
const brokenEvery = 97;
const stumblesEvery = 151;
const expiredAgainMs = 10_000;
/** More envelopes than a page holds are completed at one time. There the list continues by position, which shifts. */
const completedTogether = 250;
const shiftsMax = 60;

/**
 * Imports from a vendor while the workers are killed repeatedly, and the vendor limits calls, loses tokens and shifts its
 * list. At the end, every envelope is one document, or one failure with a reason. Returns a summary to print.
 */
export async function crashWhileMigrating(ground: Ground, vendor: Vendor, load: CrashWish): Promise<string> {
  const web = await startServer({ ...ground.settings, ...vendor.env, ROLE: 'web' });
  const startWorker = () => startServer({ ...ground.settings, ...vendor.env, ROLE: 'worker' });
  const company = await createCompany(ground);
  await connectCompany({ ...ground, baseUrl: web.baseUrl }, company.id);
  const envelopes = fill(vendor.api, load.envelopes);
  envelopes.forEach((envelope, index) => {
    envelope.completedAt = (envelopes[index - (index % completedTogether)] as AnEnvelope).completedAt;
  });
  const broken = envelopes.filter((_, index) => index % brokenEvery === brokenEvery - 1);
  for (const { id } of broken) {
    vendor.api.hands.set(id, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4 and nothing more'.padEnd(2000));
      return true;
    });
  }
  const gone = new Set<AnEnvelope>();
  stumble(vendor, load.vendorMs, () => {
    if (gone.size >= shiftsMax) return;
    const leaving = envelopes[Math.floor(randomBetween(0, load.envelopes))] as AnEnvelope;
    gone.add(leaving);
    vendor.api.envelopes.delete(leaving.id);
    envelopes.push(...fill(vendor.api, 1, envelopes.length));
  });

  const { body } = await startMigration(web, company);
  let isDone = false;
  let crashes = 0;
  const crash = async () => {
    let server = await startWorker();
    for (let crash = 0; !isDone && crash < load.crashes; crash += 1) {
      await sleep(randomBetween(50, load.upMsMax));
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
  await Promise.all([done, ...Array.from({ length: load.workers }, crash)]);
  expect(await done).toMatchObject({ remaining: 0 });
  const ended = await endedAs(ground, body.id);
  const isBroken = new Set(broken);
  const failed = broken.filter((envelope) => !gone.has(envelope)).map(({ id }) => `${id} invalid_pdf`);
  const isGone = new Set([...gone].map(({ id }) => id));
  expect(ended.filter(({ id, reason }) => reason !== null && !isGone.has(id)).map(nameOf)).toEqual(failed.sort());
  // Envelopes deleted at the vendor were imported before, are reported as missing, or were never listed.
  const landed = new Set(ended.filter(({ reason }) => reason === null).map(({ id }) => id));
  const kept = envelopes.filter((one) => !isBroken.has(one) && (!gone.has(one) || landed.has(one.id)));
  await expectReconciled(ground, company.id, kept);
  const downloads = [...vendor.api.downloads.values()].reduce((sum, times) => sum + times, 0);
  return `${envelopes.length} envelopes, ${gone.size} of them deleted meanwhile, ${downloads} downloads, ${crashes} crashes, ${vendor.oauth.refreshes()} refreshes`;
}

interface EndedEnvelope {
  id: string;
  reason: string | null;
}

const nameOf = ({ id, reason }: EndedEnvelope) => `${id} ${reason}`;

/** Returns all envelopes that the vendor import knows. */
function endedAs({ db }: Ground, importId: string): Promise<EndedEnvelope[]> {
  return db.query<EndedEnvelope>({
    name: '',
    text: `select e.envelope_id as id, i.reason from esign_envelopes e join import_items i on i.id = e.item_id
           where e.import_id = $1 order by e.envelope_id`,
    values: [importId],
  });
}

/** `shift` is called before each page. */
function stumble(vendor: Vendor, vendorMs: number, shift: () => void): void {
  let requests = 0;
  let expiredAt = 0;
  vendor.api.onRequest = async ({ kind }, response) => {
    if (kind === 'list') shift();
    requests += 1;
    const stumbles = requests / stumblesEvery;
    await sleep(vendorMs);
    if (!Number.isInteger(stumbles)) return false;
    switch (stumbles % 3) {
      case 0:
        vendor.api.budget.burst(5, 1);
        return false;
      case 1:
        // Not twice while a process waits for the first new token, which the vendor would then seem to refuse.
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
