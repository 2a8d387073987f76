import { afterEach, test } from 'vitest';
import { randomBetween } from '../crash/outcome.ts';
import { crashWhileSealing } from '../crash/seal-loop.ts';
import { crashWhileClientsWrite } from '../crash/web-loop.ts';
import { crashWhileDelivering } from '../crash/worker-loop.ts';
import { endServers, type Ground, prepareGround } from '../support/process.ts';

const minutes = Number(process.env.CHAOS_MINUTES ?? 5);
const upTo = (max: number) => Math.ceil(randomBetween(0, max));

const rounds: Array<[string, (ground: Ground) => Promise<void>]> = [
  ['clients write', (ground) => crashWhileClientsWrite(ground, { ms: randomBetween(10_000, 60_000), role: 'web' })],
  ['clients write, jobs run', (ground) => crashWhileClientsWrite(ground, { ms: 30_000, role: 'all' })],
  ['messages leave', (ground) => crashWhileDelivering(ground, { crashes: upTo(6), messages: 200 })],
  ['documents are sealed', (ground) => crashWhileSealing(ground, { crashes: upTo(4), documents: 60 })],
];

let ground: Ground | null = null;

afterEach(async () => {
  await endServers();
  await ground?.clear();
});

test(`kill -9 for ${minutes} minutes, whatever is under way`, async () => {
  const end = performance.now() + minutes * 60_000;
  for (let i = 0; performance.now() < end; i++) {
    const [name, round] = rounds[i % rounds.length] as (typeof rounds)[number];
    const began = performance.now();
    ground = await prepareGround();
    await round(ground);
    await endServers();
    await ground.clear();
    ground = null;
    console.log(`round ${i + 1}: ${name}, ${Math.round((performance.now() - began) / 1000)} s`);
  }
});
