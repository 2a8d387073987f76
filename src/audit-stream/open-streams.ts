import type { Config } from '../config.ts';
import { createPublicFetch } from '../public-fetch/public-fetch.ts';
import type { StreamDeps } from './stream-deps.ts';

/** Builds the dependencies of streams. Destinations obey the address rules and the proxy of webhooks. Close `publicFetch` at the end. */
export function openStreams(
  config: Pick<Config, 'webhookAllowPrivate' | 'webhookTimeoutMs' | 'outboundProxyUrl'>,
  outside: Pick<StreamDeps, 'world' | 'db' | 'secretBox' | 'resolver' | 'origin'>,
): StreamDeps {
  const { webhookAllowPrivate: allowPrivate, webhookTimeoutMs: timeoutMs, outboundProxyUrl: proxyUrl } = config;
  const proxy = proxyUrl === null ? null : { url: proxyUrl };
  const publicFetch = createPublicFetch({ resolver: outside.resolver, allowPrivate, proxy });
  return { ...outside, publicFetch, allowPrivate, timeoutMs };
}
