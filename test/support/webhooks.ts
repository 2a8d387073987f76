import { defaultPlans } from '../../src/accounts/plans.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createSecretBox, type SecretBox } from '../../src/platform/secret-box.ts';
import { ensureSecretKey } from '../../src/platform/secret-key.ts';
import type { EventType } from '../../src/webhooks/event-types.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { recordEvent } from '../../src/webhooks/record-event.ts';
import { registerEndpoint } from '../../src/webhooks/register-endpoint.ts';
import { deliveriesChannel } from '../../src/webhooks/wake.ts';
import { eventually, type TestService } from './service.ts';

/** Registers an endpoint as the command line does, without checking its address. */
export async function createEndpoint(
  app: Pick<TestService, 'world' | 'db' | 'dataDir'>,
  accountId: string,
  url: string,
  events: readonly EventType[] = eventTypes,
): Promise<{ id: string; secret: string }> {
  const means = { plans: defaultPlans, secretBox: await secretBoxOf(app) };
  return app.db.transaction((tx) => registerEndpoint(app.world, tx, means, { accountId, url, events }, null));
}

/** Uses the key that the service creates in its DATA_DIR. */
export async function secretBoxOf(app: Pick<TestService, 'dataDir'>): Promise<SecretBox> {
  return createSecretBox(await ensureSecretKey(null, app.dataDir, systemRandom), systemRandom);
}

/** Moves the clock and wakes the workers, which look for due deliveries only once a second. */
export async function passTime(
  app: Pick<TestService, 'clock' | 'db'>,
  time: Parameters<TestService['clock']['advance']>[0],
): Promise<void> {
  app.clock.advance(time);
  await app.db.query({ name: '', text: `select pg_notify('${deliveriesChannel}', '')`, values: [] });
}

/** Records a backlog of events of one document as fast as possible. Returns their ids. */
export async function recordEvents(
  app: Pick<TestService, 'world' | 'db'>,
  accountId: string,
  documentId: string,
  count: number,
): Promise<string[]> {
  await app.db.transaction(async (tx) => {
    const event = { accountId, documentId, type: 'document.viewed', document: { id: documentId } } as const;
    await Promise.all(Array.from({ length: count }, () => recordEvent(app.world, tx, event)));
  });
  const events = await app.db.query<{ id: string }>({
    name: '',
    text: `select id from events where document_id = $1 and type = 'document.viewed' order by id`,
    values: [documentId],
  });
  return events.map(({ id }) => id);
}

export interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event_id: string;
  status: string;
  failures: number;
  next_attempt_at: string | null;
  leased_until: string | null;
}

/** Returns the deliveries of an endpoint, in order of creation. */
export async function deliveriesOf(app: Pick<TestService, 'db'>, endpointId: string): Promise<DeliveryRow[]> {
  return app.db.query<DeliveryRow>({
    name: 'deliveries_of',
    text: `select id, endpoint_id, event_id, status, failures, next_attempt_at, leased_until
           from webhook_deliveries
           where endpoint_id = $1 order by id`,
    values: [endpointId],
  });
}

export interface AttemptRow {
  number: number;
  at: string;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

export async function attemptsOf(app: Pick<TestService, 'db'>, deliveryId: string): Promise<AttemptRow[]> {
  return app.db.query<AttemptRow>({
    name: 'attempts_of',
    text: `select number, at, status_code, error, response_body from webhook_attempts where delivery_id = $1 order by number`,
    values: [deliveryId],
  });
}

/** Waits until all deliveries of an endpoint, at least `count`, have ended. */
export async function settledDeliveries(
  app: Pick<TestService, 'db'>,
  endpointId: string,
  count = 1,
): Promise<DeliveryRow[]> {
  return eventually(
    () => deliveriesOf(app, endpointId),
    (rows) => rows.length >= count && rows.every(({ status }) => status !== 'pending'),
  );
}

/** Waits until the only delivery of an endpoint has failed this many times. */
export async function failedDelivery(
  app: Pick<TestService, 'db'>,
  endpointId: string,
  failures: number,
): Promise<DeliveryRow> {
  const [delivery] = await eventually(
    () => deliveriesOf(app, endpointId),
    ([first]) => first?.failures === failures,
  );
  return delivery as DeliveryRow;
}
