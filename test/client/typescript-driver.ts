import { ApiError, Countersign, CountersignError, verifyWebhook } from '../../packages/client/src/index.ts';
import type { ClientDriver, Operation, Outcome } from './driver.ts';

// biome-ignore lint/suspicious/noExplicitAny: arguments come from the tests as plain JSON
type Given = any;

const operations: Record<Operation, (client: Countersign, first: Given, second: Given) => unknown> = {
  account: (client) => client.account(),
  'documents.list': (client, options) => allOf(client.documents.list(options)),
  'documents.page': (client, options) => client.documents.list(options).page(),
  'documents.create': (client, body, options) => client.documents.create(body, options),
  'documents.get': (client, id) => client.documents.get(id),
  'documents.send': (client, id, options) => client.documents.send(id, options),
  'documents.recipients': (client, id) => client.documents.recipients(id),
  'documents.download': (client, id) => client.documents.download(id),
  'documents.pdf': async (client, id) => (await client.documents.pdf(id)).length,
  'imports.list': (client, options) => allOf(client.imports.list(options)),
  'imports.start': (client, body, options) => client.imports.start(body, options),
  'imports.get': (client, id) => client.imports.get(id),
  'imports.items': (client, id, options) => allOf(client.imports.items(id, options)),
  verifyWebhook: (_client, { body, header, secret, toleranceSeconds, now }) =>
    verifyWebhook(body, header, secret, {
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
      ...(now === undefined ? {} : { now: new Date(now * 1000) }),
    }),
};

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export function typescriptDriver(): ClientDriver {
  return {
    name: 'TypeScript',
    async call(settings, operation, ...[first, second]): Promise<Outcome> {
      try {
        return { result: await operations[operation](new Countersign(settings), first, second) };
      } catch (error) {
        const { name, message } = error as Error;
        if (!(error instanceof CountersignError)) return { error: { class: name, message } };
        const { idempotencyKey, isOutcomeUnknown } = error;
        const ofWrite = { idempotencyKey, isOutcomeUnknown };
        if (!(error instanceof ApiError)) return { error: { class: name, message, ...ofWrite } };
        const { status, type, code, param, requestId, retryAfterSeconds } = error;
        const fields = { status, type, code, param, requestId, retryAfterSeconds };
        return { error: { class: name, message, ...fields, ...ofWrite } };
      }
    },
    stop() {},
  };
}
