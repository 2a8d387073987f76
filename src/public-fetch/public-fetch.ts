import { isIP, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { nonPublicRange } from './address-rules.ts';
import { checkPublicUrl, hostOf } from './check-public-url.ts';
import { connect } from './connect.ts';
import { type Connection, ConnectionSpentError, connectionKey, openConnection } from './connection.ts';
import { createDeadlines, type Deadline } from './deadlines.ts';
import { exchange, type PublicResponse } from './exchange.ts';
import { createKeptConnections, type KeptConnections } from './kept-connections.ts';
import { createProxyJudge } from './proxy-judge.ts';
import { PublicFetchError } from './public-fetch-error.ts';
import type { HostLookup, HostResolver } from './resolve-host.ts';
import type { OutboundProxy } from './tunnel.ts';

export { checkPublicUrl } from './check-public-url.ts';
export type { PublicResponse } from './exchange.ts';
export { type FailureKind, PublicFetchError } from './public-fetch-error.ts';
export { type ReadBody, readAtMost } from './read-at-most.ts';
export { type AliasResolver, createAliasResolver } from './resolve-alias.ts';
export { createHostResolver, type HostConcern, type HostResolver } from './resolve-host.ts';
export { createTextResolver, type TextResolver } from './resolve-text.ts';

export interface PublicRequest {
  method: 'GET' | 'POST';
  url: string;
  /** `Host`, `Connection` and `Content-Length` are set automatically. */
  headers?: Record<string, string>;
  body?: string | Buffer;
  /**
   * Shares kept connections only with requests of the same value, so that one receiver cannot break another's
   * connections.
   */
  keptFor?: string;
}

export interface SocketTarget {
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
  /** False needs `allowPrivate`. */
  tls: boolean;
}

export interface CallLimits {
  /** Time limit of the whole call: DNS, connecting, TLS, headers and body. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface PublicFetch {
  /**
   * Resolves when the response headers have arrived, whatever the status. Redirects are not followed. The caller must
   * read the body, with `readAtMost` or as a stream, or destroy it. Throws a `PublicFetchError`.
   * Receivers may close idle connections at any moment. If a kept connection ends without a byte of an answer, the
   * request is sent once more on a new one. So the receiver may get it twice.
   */
  fetch(request: PublicRequest, limits: CallLimits): Promise<PublicResponse>;
  /**
   * Connects to a host that users name, under the same rules as `fetch`, for protocols other than HTTP. The limits hold until
   * the connection is open. The caller closes it. Throws a `PublicFetchError`.
   */
  openSocket(target: SocketTarget, limits: CallLimits): Promise<Socket>;
  /** Aborts all calls and closes every connection. */
  close(): void;
}

export interface PublicFetchOptions {
  resolver: HostResolver;
  /** Allows `http` and private addresses. For development and tests. */
  allowPrivate?: boolean;
  /** Proxy for every connection. Null: none. Variables such as HTTP_PROXY are ignored. */
  proxy?: OutboundProxy | null;
  /** Maximum number of idle connections over all receivers. */
  idleConnectionsMax?: number;
}

/**
 * Creates the client for URLs that users name. It resolves the host once, checks every address and connects to one of
 * them, so a name that changes between the check and the call has no effect. A kept connection is reused only if its
 * address is among those just checked. It has no redirects, cookies, HTTP/2 or decompression.
 *
 *     const { status, headers, body } = await publicFetch.fetch({ method, url, headers, body }, { timeoutMs });
 *     const { bytes, isComplete, failure } = await readAtMost(body, 2048);
 */
export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
  const { resolver, allowPrivate = false, idleConnectionsMax = 256 } = options;
  const proxy = options.proxy ? { settings: options.proxy, judge: createProxyJudge() } : null;
  const deadlines = createDeadlines();
  const kept = createKeptConnections(idleConnectionsMax);
  const authorities = createAuthorities();

  async function open(url: URL, addresses: string[], keptFor: string, deadline: Deadline): Promise<Connection> {
    const tls = url.protocol === 'https:' ? authorities() : null;
    const port = Number(url.port) || (tls === null ? 80 : 443);
    const to = { addresses, host: hostOf(url), port, tls, alpn: ['http/1.1'], proxy };
    const { socket, address } = await connect(to, deadline);
    const connection = openConnection({ origin: url.origin, address, keptFor }, socket);
    socket.once('close', () => kept.forget(connection));
    return connection;
  }

  return {
    async fetch({ method, url: text, headers = {}, body = null, keptFor = '' }, { timeoutMs, signal }) {
      const url = allowedUrl(text, allowPrivate);
      const request = { method, path: url.pathname + url.search, headers, body };
      const deadline = deadlines.start(timeoutMs, signal);
      try {
        const addresses = await resolved(resolver, hostOf(url), deadline);
        if (!allowPrivate) vet(addresses, hostOf(url));
        const keptOne = takeKept(kept, url.origin, addresses, keptFor);
        if (keptOne !== null) {
          try {
            const response = await exchange(keptOne, request, deadline, true, () => kept.keep(keptOne));
            proxy?.judge.reached();
            return response;
          } catch (error) {
            if (!(error instanceof ConnectionSpentError)) throw error;
          }
        }
        const fresh = await open(url, addresses, keptFor, deadline);
        return await exchange(fresh, request, deadline, false, () => kept.keep(fresh));
      } catch (error) {
        deadline.end();
        throw error;
      }
    },
    async openSocket({ host, port, tls }, { timeoutMs, signal }) {
      if (!tls && !allowPrivate) throw new PublicFetchError('refused_url', 'the connection must use TLS');
      const deadline = deadlines.start(timeoutMs, signal);
      try {
        const addresses = await resolved(resolver, host, deadline);
        if (!allowPrivate) vet(addresses, host);
        const to = { addresses, host, port, tls: tls ? authorities() : null, alpn: [], proxy };
        const { socket } = await connect(to, deadline);
        if (deadline.passed !== null) {
          socket.destroy();
          throw deadline.passed;
        }
        return socket;
      } finally {
        deadline.end();
      }
    },
    close() {
      deadlines.abortAll();
      kept.close();
    },
  };
}

function allowedUrl(text: string, allowPrivate: boolean): URL {
  const checked = checkPublicUrl(text, { allowPrivate });
  if ('refused' in checked) throw new PublicFetchError('refused_url', `the URL ${checked.refused}`);
  return checked.url;
}

async function resolved(resolver: HostResolver, host: string, deadline: Deadline): Promise<string[]> {
  // IP addresses need no DNS lookup.
  if (isIP(host) !== 0) return [host];
  const lookup = await new Promise<HostLookup>((resolve, reject) => {
    deadline.waitFor('to look up the name', reject);
    resolver.resolve(host).then(resolve, reject);
  });
  if (lookup.kind === 'addresses') return lookup.addresses;
  if (lookup.kind === 'our_fault') throw new PublicFetchError('our_fault', lookup.reason, host);
  throw new PublicFetchError('dns', `the name ${host} ${lookup.reason}`);
}

/** Refuses a host if any of its addresses is not public. A mix of public and private addresses suggests an attack. */
function vet(addresses: string[], host: string): void {
  for (const address of addresses) {
    const range = nonPublicRange(address);
    if (range !== null) {
      throw new PublicFetchError(
        'not_public',
        `the name ${host} leads to an address that is not public`,
        `${address}: ${range}`,
      );
    }
  }
}

function takeKept(kept: KeptConnections, origin: string, addresses: string[], keptFor: string): Connection | null {
  for (const address of addresses) {
    const connection = kept.take(connectionKey({ origin, address, keptFor }));
    if (connection !== null) return connection;
  }
  return null;
}

/** Loads all certificate authorities that the machine trusts, once, at first use. */
function createAuthorities(): () => SecureContext {
  let context: SecureContext | null = null;
  return () => {
    context ??= createSecureContext({ minVersion: 'TLSv1.2' });
    return context;
  };
}
