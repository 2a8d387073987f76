import { afterEach, test } from 'vitest';
import { type OwnGround, prepareOwnGround } from '../support/own-server.ts';
import { endServers } from '../support/process.ts';
import { crashWhileWebhooksLeave } from './webhooks-loop.ts';

let ground: OwnGround;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 of the worker and of the database while webhooks leave: every event reaches every endpoint, and no other does', async () => {
  ground = await prepareOwnGround();
  await crashWhileWebhooksLeave(ground, { crashes: 8, databaseCrashes: 2 });
});
