import { afterEach, expect, test } from 'vitest';
import { expectNothingLost, signWhile } from '../chaos/signing-load.ts';
import { createCompany, eventually } from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { faults } from './faults.ts';
import { startScene } from './scene.ts';

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 20);
const clients = 3;
/** Keeps the load below what sealing on two cores can do, so that there is no backlog at the end. */
const restMs = 500;
const recoveryMsMax = 30_000;
const drainMs = 300_000;

const stops: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

test(`${rounds} faults of a cluster under load: nothing is lost, and writes continue within 30 s`, async () => {
  const scene = await startScene(stops);
  const company = await createCompany(scene);
  await createEndpoint(scene, company.id, scene.receiver.url);
  const writes = watchWrites();
  let goesOn = true;
  const working = Promise.all(
    Array.from({ length: clients }, (_, client) =>
      signWhile({
        ...{ goesOn: () => goesOn, ground: scene, baseUrl: scene.baseUrl, company, client, restMs },
        onWritten: writes.written,
      }),
    ),
  );
  working.catch(() => {}); // awaited below
  for (let round = 0; round < rounds; round++) {
    const fault = faults[round % faults.length] as (typeof faults)[number];
    await Promise.race([writes.another(), working]);
    writes.forgetGap();
    await fault.happen(scene);
    await scene.databases.whole();
    await Promise.race([writes.another(), working]);
    console.log(`round ${round + 1}: ${fault.name}, no write for ${(writes.gapMs() / 1000).toFixed(1)} s`);
    expect(writes.gapMs(), fault.name).toBeLessThan(recoveryMsMax);
  }
  goesOn = false;
  const told = (await working).flat();

  await expectNothingLost(scene, scene.receiver, company.id, told, drainMs);
  expect(scene.mailedTo()).toEqual(new Set(told.map(({ address }) => address)));
  console.log(`${told.length} documents`);
});

/** Measures the longest time between two writes that succeeded. */
function watchWrites() {
  let last = performance.now();
  let longest = 0;
  let count = 0;
  return {
    written() {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      count += 1;
    },
    async another(): Promise<void> {
      const before = count;
      await eventually(
        async () => count,
        (now) => now > before,
        2 * recoveryMsMax,
      );
    },
    forgetGap() {
      longest = 0;
    },
    gapMs: () => longest,
  };
}
