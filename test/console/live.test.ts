import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, signedIn } from './visitor.ts';

/** Live updates of open pages while documents change. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app?.stop());

interface Stream {
  /** Returns the next event's name, or null when the stream has ended. */
  next(): Promise<string | null>;
  close(): Promise<void>;
}

async function watch(accountId: string): Promise<Stream> {
  const visitor = await signedIn(app, await addMember(app, accountId, 'member'));
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${new URL(app.baseUrl).origin}/console/api/live`, { headers: { cookie } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const event = /event: (\w+)\n.*\n\n/.exec(text);
        if (event !== null) {
          text = text.slice(event.index + event[0].length);
          return event[1] as string;
        }
        const { value, done } = await reader.read();
        if (done) return null;
        text += new TextDecoder().decode(value);
      }
    },
    close: () => reader.cancel(),
  };
}

test('a document that is made or changed is told to the pages of its company, and to no other', async () => {
  const own = await watch(company.id);
  let hears = false;
  const first = own.next().then(() => {
    hears = true;
  });
  // Notifications are received from the first watcher on. Earlier changes are not announced.
  await eventually(
    () => createDraft(app, company.key),
    () => hears,
  );
  await first;

  const other = await createCompany(app);
  const foreign = await watch(other.id);
  let heardForeign = false;
  const late = foreign.next().then(() => {
    heardForeign = true;
  });
  for (const change of [createDraft, createSent]) {
    const told = own.next();
    await change(app, company.key);
    expect(await told).toBe('documents');
  }
  expect(heardForeign).toBe(false);
  await createDraft(app, other.key);
  await late;
  await Promise.all([own.close(), foreign.close()]);
});

test('one person may have many pages open, and not any number', async () => {
  const visitor = await signedIn(app, await addMember(app, company.id, 'member'));
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const leave = new AbortController();
  const open = () =>
    fetch(`${new URL(app.baseUrl).origin}/console/api/live`, { headers: { cookie }, signal: leave.signal });
  const answers = await Promise.all(Array.from({ length: 21 }, open));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  leave.abort();
});

test('stopping ends what is open', async () => {
  const stopped = await startTestService();
  const { id } = await createCompany(stopped);
  const [was, now] = [app, stopped];
  app = now;
  const stream = await watch(id);
  app = was;
  const ended = (async () => {
    while ((await stream.next()) !== null);
    return 'ended';
  })();
  await stopped.stop();
  expect(await ended).toBe('ended');
});
