import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Deadline } from './deadlines.ts';
import { PublicFetchError } from './public-fetch-error.ts';

/** An HTTP proxy that opens connections for us by CONNECT. */
export interface OutboundProxy {
  /** `http:` or `https:`, with a user name and password if it wants them. May be on a private address. */
  url: string;
  /** Called with the cause each time the proxy fails or refuses. */
  onFailure?: (cause: string) => void;
}

/** The proxy tried the receiver and reached nothing. Every other refusal is between the proxy and this service. */
const unreached = new Set([503, 504]);

/**
 * Opens a connection through the proxy to a vetted address: the proxy never learns the name, so it cannot look up another
 * address. A share of the deadline is left for the other addresses. Throws a `PublicFetchError`; it is `our_fault` when
 * the proxy cannot be reached or refuses.
 */
export function openTunnel(
  proxy: OutboundProxy,
  address: string,
  port: number,
  deadline: Deadline,
  triesLeft: number,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const url = new URL(proxy.url);
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(connectOptions(url, address, port));
  let isReached = false;

  const give = (failure: PublicFetchError) => {
    clearTimeout(timer);
    request.destroy();
    reject(failure);
  };
  const blame = (cause: string) => {
    proxy.onFailure?.(cause);
    give(new PublicFetchError('our_fault', cause, address));
  };
  const late = (failure: PublicFetchError) => {
    if (isReached || failure.kind !== 'timeout') give(failure);
    else blame('the outbound proxy does not answer');
  };
  const silence = () => late(new PublicFetchError('timeout', 'one of its addresses does not answer', address));
  const timer = triesLeft > 1 ? setTimeout(silence, deadline.remainingMs() / triesLeft) : undefined;
  deadline.waitFor('to connect', late);

  request.once('socket', (socket) => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isReached = true;
    });
  });
  request.on('error', (error) => {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    blame(isReached ? `the outbound proxy ended the call (${code})` : `the outbound proxy cannot be reached (${code})`);
  });
  request.once('connect', ({ statusCode = 0 }, tunnel: Socket, head) => {
    clearTimeout(timer);
    tunnel.on('error', () => {});
    if (statusCode >= 200 && statusCode < 300) {
      if (head.length > 0) tunnel.unshift(head);
      tunnel.setNoDelay(true);
      resolve(tunnel);
      return;
    }
    tunnel.destroy();
    if (unreached.has(statusCode)) {
      give(new PublicFetchError('connection', `the outbound proxy reached nothing there (${statusCode})`, address));
    } else {
      blame(`the outbound proxy refused the connection (${statusCode})`);
    }
  });
  request.end();
  return promise;
}

function connectOptions(url: URL, address: string, port: number): RequestOptions & { rejectUnauthorized: boolean } {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
  return {
    method: 'CONNECT',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    path: target,
    headers: { host: target, ...(user === ':' ? {} : authorization) },
    agent: false,
    maxHeaderSize: 16_384,
    // Without this an environment variable could switch the check off.
    rejectUnauthorized: true,
  };
}
