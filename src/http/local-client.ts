import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

/**
 * Headers that proxies, load balancers, tunnels and CDNs add. If one is present, with any value, the request was
 * forwarded and its client may be anywhere.
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
 * Returns whether a request comes directly from a program on this machine. It must come from a loopback address, ask
 * for a loopback name and have no forwarding header.
 * A reverse proxy on this machine also connects from loopback, so the address alone is not enough. A page whose host
 * name leads to this machine (DNS rebinding) asks for that name. nginx by default speaks HTTP/1.0 to its upstream, and
 * no browser does.
 * A proxy that sets `Host` to a loopback name, speaks HTTP/1.1 and adds no header looks like a local program. Set
 * `PUBLIC_URL` behind a proxy.
 */
export function isLocalClient(request: IncomingMessage): boolean {
  const { headers, httpVersion, url = '', socket } = request;
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    httpVersion !== '1.0' &&
    // An absolute URL such as `GET http://elsewhere/mailbox` takes precedence over `Host` (RFC 9112, 3.2.2).
    url.startsWith('/') &&
    !Object.keys(headers).some(isForwardingHeader)
  );
}

/** Expects `name` in lower case. */
function isForwardingHeader(name: string): boolean {
  return names.has(name) || forwardingHeaders.prefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Returns whether a page of another site could read the answer or show it in a frame. A followed link doesn't count,
 * because its page can't see the result.
 */
export function isReadElsewhere({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin } = headers;
  if (site === undefined) return origin !== undefined;
  if (site === 'none' || site === 'same-origin') return false;
  return !(mode === 'navigate' && destination === 'document');
}
