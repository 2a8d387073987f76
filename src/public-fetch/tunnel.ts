import { type IncomingHttpHeaders, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Deadline } from './deadlines.ts';
import { isPolicyRefusal, type ProxyJudge } from './proxy-judge.ts';
import { PublicFetchError } from './public-fetch-error.ts';

/** An HTTP proxy that opens connections by CONNECT. */
export interface OutboundProxy {
  /** `http:` or `https:`, optionally with a user name and password. May have a private address. */
  url: string;
  /** Called with the cause each time the proxy fails or refuses. */
  onFailure?: (cause: string) => void;
}

/** Destination of a tunnel. `host` only distinguishes targets: the proxy gets the address. */
export interface TunnelTarget {
  host: string;
  address: string;
  port: number;
}

/**
 * Opens a connection through the proxy to a checked address. The proxy never gets the name, so it cannot resolve it to
 * another address. Some of the time limit is left for other addresses.
 * Throws a `PublicFetchError`: `our_fault` if the proxy is unreachable or refuses our credentials, `connection` if
 * `judge` decides that the target is at fault.
 */
export function openTunnel(
  proxy: OutboundProxy,
  judge: ProxyJudge,
  { host, address, port }: TunnelTarget,
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
  const refuse = (status: number | null, headers: IncomingHttpHeaders, cause: string) => {
    const isTargetsFault = judge.refused(host, status, headers) === 'target';
    if (!isTargetsFault) return blame(cause);
    if (isPolicyRefusal(status, headers)) proxy.onFailure?.(cause);
    give(new PublicFetchError('connection', cause, address));
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
    if (isReached) refuse(null, {}, `the outbound proxy ended the call (${code})`);
    else blame(`the outbound proxy cannot be reached (${code})`);
  });
  request.once('connect', ({ statusCode = 0, headers }, tunnel: Socket, head) => {
    clearTimeout(timer);
    tunnel.on('error', () => {});
    if (statusCode >= 200 && statusCode < 300) {
      judge.reached();
      if (head.length > 0) tunnel.unshift(head);
      tunnel.setNoDelay(true);
      resolve(tunnel);
      return;
    }
    tunnel.destroy();
    refuse(statusCode, headers, refusalMessage(statusCode, headers));
  });
  request.end();
  return promise;
}

function refusalMessage(status: number, headers: IncomingHttpHeaders): string {
  if (isPolicyRefusal(status, headers)) return `the outbound proxy does not allow this address (${status})`;
  if (status === 407) {
    return 'the outbound proxy refused the connection (407): check the user name and password in OUTBOUND_PROXY_URL';
  }
  if (status >= 500 && status !== 501) return `the outbound proxy could not connect (${status})`;
  return `the outbound proxy refused the connection (${status})`;
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
