import { afterEach, expect, test, vi } from 'vitest';

// The module is loaded by a name that is not known before, because it uses types of browsers.
const load = (name: string) => import(`../../web/src/imports/upload/${name}.ts`);
const { keepSending } = await load('keep-sending');

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Counts what is sent. Each request fails at once. */
function stubRequests(): { sent: number } {
  const requests = { sent: 0 };
  class Request {
    upload = {};
    onerror = () => {};
    open() {}
    setRequestHeader() {}
    abort() {}
    send() {
      requests.sent++;
      this.onerror();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return requests;
}

test('a file that is cancelled while it is being opened is not sent', async () => {
  const requests = stubRequests();
  const opened = Promise.withResolvers<ArrayBuffer>();
  const file = { size: 1, slice: () => ({ arrayBuffer: () => opened.promise }) };
  const closing = new AbortController();
  const sending = keepSending('/file', file, { onProgress: () => {}, signal: closing.signal });
  closing.abort();
  opened.resolve(new ArrayBuffer(1));
  await expect(sending).rejects.toBeTruthy();
  expect(requests.sent).toBe(0);
});
