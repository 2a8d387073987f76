import { afterEach, test } from 'vitest';
import { endServers, type Ground, prepareGround } from '../support/process.ts';
import { crashWhileSealing } from './seal-loop.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 of the worker while it seals: every document ends sealed, once', async () => {
  ground = await prepareGround();
  await crashWhileSealing(ground, { crashes: 2, documents: 20 });
});
