import { request } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

interface LocalRequest {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/** Fetches from `localhost` on systems without that name in their hosts file. Decodes gzip as `fetch` does. Follows no redirects. */
export function fetchLocally(url: string, { method, headers, body }: LocalRequest): Promise<Response> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname;
  const options = {
    host: address,
    port,
    path: pathname + search,
    method,
    headers: { host, ...lengthOf(body), ...headers },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (incoming) => {
      const answered = new Headers();
      for (const [name, values] of Object.entries(incoming.headersDistinct)) {
        for (const value of values ?? []) answered.append(name, value);
      }
      const status = incoming.statusCode ?? 0;
      const decoded = incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming;
      const content = status === 204 || status === 304 ? null : (Readable.toWeb(decoded) as ReadableStream<Uint8Array>);
      resolve(new Response(content, { status, headers: answered }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Node.js does not announce the body of a DELETE. */
function lengthOf(body: string | Uint8Array | null): Record<string, string> {
  return body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
