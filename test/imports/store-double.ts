import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Hand = (response: ServerResponse, attempt: number, request: IncomingMessage) => void;

export interface StoreDouble {
  /** The value of CLOUD_FILES_HOSTS. */
  host: string;
  origin: string;
  /** All requested paths, with their queries. */
  requests: string[];
  /** Adds a file at the shared link `/s/ID/NAME`: its bytes, or a function that answers. Returns the link. */
  share(name: string, what: Buffer | Hand): string;
  /** Returns a link of another form to the same file. */
  at(path: string, what: Buffer | Hand): string;
  stop(): Promise<void>;
}

export const expiredPage = '<!DOCTYPE html>\n<html><head><title>Dropbox - 404</title></head><body>Gone</body></html>';

/** Behaves like Dropbox links: a shared link redirects to a page, and then to a temporary address with the bytes. */
export async function startStoreDouble(): Promise<StoreDouble> {
  const hands = new Map<string, Hand>();
  const requests: string[] = [];
  const attempts = new Map<string, number>();
  let links = 0;

  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    requests.push(url);
    const path = url.replace(/\?.*$/, '');
    const hand = hands.get(path);
    if (hand === undefined) return void response.writeHead(404, { 'content-type': 'text/html' }).end(expiredPage);
    const attempt = (attempts.get(path) ?? 0) + 1;
    attempts.set(path, attempt);
    hand(response, attempt, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const redirect =
    (to: string): Hand =>
    (response) =>
      void response.writeHead(302, { location: to, 'content-type': 'text/html' }).end('<html>moved</html>');
  const hand = (what: Buffer | Hand, name: string): Hand =>
    typeof what === 'function'
      ? what
      : (response) =>
          void response
            .writeHead(200, {
              'content-type': 'application/binary',
              'content-length': what.length,
              'content-disposition': `attachment; filename="${Buffer.from(name).toString('latin1')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
            })
            .end(what);

  return {
    host,
    origin,
    requests,
    share(name, what) {
      links += 1;
      const id = `link${links}`;
      const encoded = encodeURIComponent(name);
      const page = `/scl/fi/${id}/${encoded}`;
      const temporary = `/cd/0/get/token${links}/file`;
      hands.set(`/s/${id}/${encoded}`, (response, attempt, request) => {
        const wantsFile = new URL(request.url ?? '', origin).searchParams.get('dl') === '1';
        if (wantsFile) redirect(`${page}?rlkey=key${links}&dl=1`)(response, attempt, request);
        else response.writeHead(200, { 'content-type': 'text/html' }).end(expiredPage);
      });
      hands.set(page, redirect(`${origin}${temporary}`));
      hands.set(temporary, hand(what, name));
      return `${origin}/s/${id}/${encoded}`;
    },
    at(path, what) {
      hands.set(path.replace(/\?.*$/, ''), hand(what, 'from the header.pdf'));
      return origin + path;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
