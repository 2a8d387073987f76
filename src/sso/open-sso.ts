import type { Config } from '../config.ts';
import { createPublicFetch, type HostResolver } from '../public-fetch/public-fetch.ts';
import type { SsoDeps } from './sso-deps.ts';

type Outside = Pick<SsoDeps, 'world' | 'db' | 'secretBox' | 'txt'> & { hostResolver: HostResolver };

/** The caller closes `publicFetch`. */
export function openSso(
  { ssoAllowPrivate: allowPrivate, outboundProxyUrl }: Pick<Config, 'ssoAllowPrivate' | 'outboundProxyUrl'>,
  { hostResolver, ...outside }: Outside,
): SsoDeps {
  const { log } = outside.world;
  if (allowPrivate) log.warn('SSO_ALLOW_PRIVATE lets identity providers of companies be in this network');
  const onFailure = (cause: string) => log.warn('identity providers cannot be reached from here', { cause });
  const proxy = outboundProxyUrl === null ? null : { url: outboundProxyUrl, onFailure };
  return { ...outside, publicFetch: createPublicFetch({ resolver: hostResolver, allowPrivate, proxy }), allowPrivate };
}
