import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.stop());

const traceOf = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name)?.traceId;
const namesIn = (spans: CollectedSpan[], traceId: string | undefined) =>
  spans.filter((span) => span.traceId === traceId).map(({ name }) => name);

/** Sends a document, waits for its e-mail and webhook, signs it, and waits for its seal and the e-mail with the copy. */
async function sendAndSign(app: TestService, headers: Record<string, string>): Promise<void> {
  const company = await createCompany(app);
  const receiver = await startReceiver();
  try {
    await createEndpoint(app, company.id, receiver.url);
    const id = await createDraft(app, company.key);
    await call(app, 'POST', `/documents/${id}/send`, { key: company.key, headers });
    const mailbox = () => listMailbox(join(app.dataDir, 'mailbox'), { to: 'ada@example.com', limit: 2 });
    await eventually(mailbox, ({ length }) => length === 1);
    await signAs(app, 'ada@example.com', 'Ada Lovelace');
    const download = () => call(app, 'GET', `/documents/${id}/download`, { key: company.key });
    await eventually(download, ({ status }) => status === 200);
    const received = async () => receiver.received.map(({ event }) => event.event);
    await eventually(received, (events) => events.includes('document.completed'));
    await eventually(mailbox, ({ length }) => length === 2);
  } finally {
    await receiver.stop();
  }
}

test('one trace leads from a request through its jobs, mail, webhooks and seal', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const app = await startTestService({ env });
  const caller = '0af7651916cd43dd8448eb211c80319c';
  await sendAndSign(app, { traceparent: `00-${caller}-b7ad6b7169203331-01` }).finally(() => app.stop());

  const spans = collector.spans();
  expect(namesIn(spans, caller)).toEqual(
    expect.arrayContaining(['POST /api/v1/documents/:id/send', 'deliver-message', 'send-email', 'deliver-webhook']),
  );
  const signing = traceOf(spans, 'POST /sign/:token/sign');
  expect(namesIn(spans, signing)).toEqual(
    expect.arrayContaining(['POST /sign/:token/sign', 'seal-document', 'deliver-webhook', 'deliver-message']),
  );
  const mail = spans.find((span) => span.traceId === caller && span.name === 'send-email');
  const job = spans.find(({ spanId }) => spanId === mail?.parentSpanId);
  expect(job?.name).toBe('deliver-message');

  // Spans contain no links, addresses or names.
  const text = JSON.stringify(spans);
  expect(text).not.toMatch(/ada@|Lovelace|Roof repair|\/sign\/[\w-]{10}/);
  expect(collector.exports[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer abc' } });
});

test('protobuf is sent unless told otherwise, and a collector that is away harms nothing', async () => {
  const app = await startTestService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin } });
  const company = await createCompany(app);
  await createDraft(app, company.key);
  await app.stop();
  expect(collector.exports[0]?.headers['content-type']).toBe('application/x-protobuf');
  expect(collector.exports.some(({ body }) => body.includes('POST /api/v1/documents'))).toBe(true);

  await collector.stop();
  const alone = await startTestService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin } });
  const other = await createCompany(alone);
  expect(await createDraft(alone, other.key)).toMatch(/^[0-9a-f-]{36}$/);
  await alone.stop();
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'it must be a URL starting with http: or https:'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'it must be one of http/protobuf, http/json'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'nonsense', 'it must look like name=value,name=value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'it must look like name=value,name=value'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'it must be a number from 0 to 1'],
])('%s=%s is refused', (name, value, rule) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', [name]: value };
  expect(() => readConfig(env)).toThrow(`bad setting ${name}: ${rule}`);
});

test('without an endpoint there are no traces', () => {
  expect(readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).tracing).toBeNull();
});
