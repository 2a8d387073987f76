import { afterAll, beforeAll, expect, test } from 'vitest';
import type { World } from '../../src/platform/world.ts';
import { claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { enqueueEvents } from '../../src/webhooks/enqueue-events.ts';
import { redeliver } from '../../src/webhooks/redeliver.ts';
import { redeliverFailed } from '../../src/webhooks/redeliver-failed.ts';
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts';
import { createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { createEndpoint, deliveriesOf, recordEvents } from '../support/webhooks.ts';

let app: TestService;
/** Its clock is a minute ahead of the worker's and the database's. */
let ahead: World;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  ahead = { ...app.world, clock: { now: () => new Date(Date.now() + 60_000) } };
});
afterAll(() => app.stop());

interface Missed {
  accountId: string;
  endpointId: string;
  eventId: string;
  deliveryId: string;
}

const ways: Record<string, (missed: Missed) => Promise<unknown>> = {
  'a redelivery': ({ deliveryId }) => app.db.transaction((tx) => redeliver(ahead, tx, deliveryId, null)),
  'a redelivery of all that failed': ({ endpointId }) =>
    redeliverFailed(ahead, app.db, endpointId, new Date(0).toISOString(), null),
  'a redelivery of chosen events': ({ accountId, endpointId, eventId }) => {
    const chosen = { accountId, eventIds: [eventId], endpointIds: [endpointId], onlyMissed: false, unlessSince: null };
    return app.db.transaction((tx) => enqueueEvents(ahead, tx, chosen));
  },
  'a test event': ({ endpointId }) => sendTestEvent(ahead, app.db, endpointId, 'document.sent', {}),
};

test.each(Object.entries(ways))(
  '%s is due at once, also when asked for by a clock that is ahead',
  async (_way, ask) => {
    const { id: accountId, key } = await createCompany(app);
    const { id: endpointId } = await createEndpoint(app, accountId, 'https://example.com/');
    const [eventId = ''] = await recordEvents(app, accountId, await createDraft(app, key), 1);
    const [first] = await deliveriesOf(app, endpointId);
    await app.db.query({
      name: '',
      text: `update webhook_deliveries set status = 'dead', next_attempt_at = null, settled_at = now() where id = $1`,
      values: [first?.id],
    });
    await ask({ accountId, endpointId, eventId, deliveryId: first?.id ?? '' });
    const { deliveries } = await claimDeliveries(app.db, {
      answers: 'unknown',
      now: new Date(),
      leaseId: app.world.newId(),
      leasedUntil: new Date(Date.now() + 60_000),
      limit: 10,
      perEndpoint: 10,
      perFailingEndpoint: 10,
      underWay: new Map(),
      after: '',
    });
    expect(deliveries.map(({ endpoint_id }) => endpoint_id)).toEqual([endpointId]);
  },
);
