import { afterEach, test } from 'vitest';
import { endServers, type Ground, prepareGround } from '../support/process.ts';
import { crashWhileDelivering, crashWhileNotifying } from './worker-loop.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

test('kill -9 of the worker while it delivers: every message is accepted, and none again whose acceptance is on record', async () => {
  ground = await prepareGround();
  await crashWhileDelivering(ground, { crashes: 2, messages: 40 });
});

test('kill -9 of the worker while it notifies senders: each is notified, and not again once the acceptance is on record', async () => {
  ground = await prepareGround();
  await crashWhileNotifying(ground, { crashes: 2, notices: 40 });
});
