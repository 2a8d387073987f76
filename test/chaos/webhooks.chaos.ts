import { afterEach, test } from 'vitest';
import { crashWhileWebhooksLeave } from '../crash/webhooks-loop.ts';
import { type OwnGround, prepareOwnGround } from '../support/own-server.ts';
import { endServers } from '../support/process.ts';

let ground: OwnGround;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 of the worker a hundred times and of the database ten times while webhooks leave', async () => {
  ground = await prepareOwnGround();
  console.log(await crashWhileWebhooksLeave(ground, { crashes: 100, databaseCrashes: 10 }));
});
