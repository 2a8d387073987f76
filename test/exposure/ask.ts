import { request } from 'node:http';

export interface Asked {
  status: number;
  headers: Headers;
  text: string;
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** The local address to connect from. */
  from?: string;
}

/** Sends a request with exactly these headers, including `Host`, which `fetch` does not allow. */
export function ask(url: string, { method = 'GET', headers = {}, body, from }: AskOptions = {}): Promise<Asked> {
  const { hostname, port, pathname, search } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = { host, port, method, path: pathname + search, headers, agent: false, localAddress: from };
  return new Promise((resolve, reject) => {
    const asking = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
