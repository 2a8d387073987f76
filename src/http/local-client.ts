import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

/**
 * Headers by which proxies, load balancers, tunnels and CDNs tell whom they ask for. One of them, with any value, says
 * that a request was passed on, so its client may be anywhere.
 */
export const forwardingHeaders = {
  /* biome-ignore format: a table reads as a table */
  names: [
    'forwarded', 'forwarded-for', 'via', 'x-forwarded', 'x-forwarder-for',
    'x-real-ip', 'x-remote-ip', 'x-remote-addr', 'x-client-ip', 'client-ip', 'true-client-ip', 'x-true-client-ip',
    'x-cluster-client-ip', 'x-proxyuser-ip', 'proxy-client-ip', 'wl-proxy-client-ip', 'x-host', 'x-rewrite-url',
    'x-sucuri-clientip', 'incap-client-ip', 'cdn-loop', 'do-connecting-ip', 'x-cloud-trace-context', 'x-arr-log-id',
    'x-nf-client-connection-ip', 'x-gateway-host', 'x-azure-clientip', 'x-azure-socketip', 'x-ms-client-ip',
  ],
  /* biome-ignore format: a table reads as a table */
  prefixes: [
    'x-forwarded-', 'x-original-', 'x-real-', 'x-envoy-', 'x-amzn-', 'x-amz-cf-', 'x-appengine-', 'x-vercel-', 'cf-',
    'fly-', 'fastly-', 'akamai-', 'cloudfront-', 'tailscale-', 'ngrok-', 'x-arr-', 'x-azure-', 'x-proxy-',
  ],
} as const;

const names: ReadonlySet<string> = new Set(forwardingHeaders.names);

/**
 * Whether a request comes straight from a program on this machine: its connection is from a loopback address, it asks
 * for a loopback name, and nothing says that it was passed on. A reverse proxy on this machine connects from loopback
 * too, so the address alone proves nothing; a page elsewhere whose name leads to this machine (DNS rebinding) asks for
 * that name. nginx speaks HTTP/1.0 to what it fronts unless told otherwise, and no browser does.
 *
 * A proxy that replaces `Host` with a loopback name, speaks HTTP/1.1 and adds no header cannot be told from a local
 * program. Set `PUBLIC_URL` behind a proxy.
 */
export function isLocalClient(request: IncomingMessage): boolean {
  const { headers, httpVersion, url = '', socket } = request;
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    httpVersion !== '1.0' &&
    // `GET http://elsewhere/mailbox` names another host than its header does, and counts more (RFC 9112, 3.2.2).
    url.startsWith('/') &&
    !Object.keys(headers).some(isForwardingHeader)
  );
}

/** `name` in lower case. */
function isForwardingHeader(name: string): boolean {
  return names.has(name) || forwardingHeaders.prefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Whether a page of another site would read the answer, or show it in a frame. A link that is followed there is not:
 * the page that holds it sees nothing of what it leads to.
 */
export function isReadElsewhere({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin } = headers;
  if (site === undefined) return origin !== undefined;
  if (site === 'none' || site === 'same-origin') return false;
  return !(mode === 'navigate' && destination === 'document');
}
