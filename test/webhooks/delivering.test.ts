import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { attemptsOf, createEndpoint, deliveriesOf } from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const received = (count: number) =>
  eventually(
    async () => receiver.received,
    (all) => all.length >= count,
  );

test('sending a document tells each endpoint that chose the event, with the headers and the signature of the spec', async () => {
  const { secret } = await createEndpoint(app, company.id, receiver.url);
  const id = await createSent(app, company.key);
  const [first] = await received(1);
  if (first === undefined) throw new Error('nothing came');

  expect(first.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': 'document.sent',
    'x-service-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
  });
  expect(isSignedWith(secret, first, app.clock.now())).toBe(true);
  const { body } = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect(first.event).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event: 'document.sent',
    created_at: app.clock.now().toISOString(),
    data: { document: body },
  });
});

test('an acknowledged delivery is recorded with its attempt and never made again', async () => {
  const endpoint = await createEndpoint(app, company.id, receiver.url);
  await createSent(app, company.key);
  const [delivery] = await eventually(
    () => deliveriesOf(app, endpoint.id),
    ([first]) => first?.status === 'delivered',
  );
  expect(await attemptsOf(app, delivery?.id ?? '')).toEqual([
    { number: 1, at: app.clock.now().toISOString(), status_code: 200, error: null, response_body: 'thanks' },
  ]);
  expect(receiver.received).toHaveLength(1);
});
