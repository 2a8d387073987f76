import { afterEach, test } from 'vitest';
import { endServers, type Ground, prepareGround } from '../support/process.ts';
import { crashWhileClientsWrite } from './web-loop.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 of the service while clients write: what was answered is there, once, and is delivered', async () => {
  ground = await prepareGround();
  await crashWhileClientsWrite(ground, { ms: 6000, role: 'web' });
});
