import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** When documents are read again after a change, without a browser. */
// The modules are loaded by names that are not known before, because they use types of browsers.
const load = (name: string) => import(name);
const { QueryClient, QueryObserver } = await load('@tanstack/react-query');
const { renewDocuments } = await load('../../web/src/shell/renew-documents.ts');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const answerMs = 2000;

/** A page that shows the status of a document. Each answer has what the status was at its beginning. */
function openPage() {
  const server = { status: 'sent', reads: 0, aborted: 0 };
  const client = new QueryClient();
  const observer = new QueryObserver(client, {
    queryKey: ['documents', 'detail', 'x'],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      server.reads += 1;
      signal.addEventListener('abort', () => {
        server.aborted += 1;
      });
      const { status } = server;
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      return status;
    },
  });
  const close = observer.subscribe(() => {});
  const change = (status: string) => {
    server.status = status;
    renewDocuments(client);
  };
  return { server, change, shown: () => observer.getCurrentResult().data, close };
}

test('a change during the first read of a page is shown', async () => {
  const { server, change, shown, close } = openPage();
  await vi.advanceTimersByTimeAsync(500);
  change('completed');
  await vi.advanceTimersByTimeAsync(1500);
  expect(shown()).toBe('sent');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown()).toBe('completed');
  expect(server).toMatchObject({ reads: 2, aborted: 0 });
  close();
});

test('while changes come faster than answers, each answer is shown', async () => {
  const { server, change, shown, close } = openPage();
  await vi.advanceTimersByTimeAsync(5000);
  for (let i = 0; i < 50; i++) {
    change(`change ${i}`);
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(Number(/\d+/.exec(`${shown()}`)?.[0])).toBeGreaterThan(35);
  expect(server.aborted).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown()).toBe('change 49');
  // One read each three seconds, as long as changes come, and a last one.
  expect(server.reads).toBeLessThan(11);
  close();
});

test('changes within a second lead to one read', async () => {
  const { server, change, shown, close } = openPage();
  await vi.advanceTimersByTimeAsync(5000);
  for (const status of ['viewed', 'signed', 'completed']) change(status);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown()).toBe('completed');
  expect(server.reads).toBe(2);
  close();
});
