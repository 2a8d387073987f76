import { afterEach, test } from 'vitest';
import { crashWhileImporting } from '../imports/crash-loop.ts';
import { endServers, type Ground, prepareGround } from '../support/process.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 at random during 200 imports: each is answered whole, and nothing is left half', async () => {
  ground = await prepareGround();
  console.log(await crashWhileImporting(ground, { imports: 200, crashes: 40, upMsMax: 4000 }));
});
