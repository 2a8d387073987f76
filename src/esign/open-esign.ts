import type { Config } from '../config.ts';
import type { EsignDeps } from './esign-deps.ts';
import { createEsignOauth } from './vendor/oauth.ts';

export function openEsign(
  { esign: { oauthUrl, allowsLocal, client } }: Config,
  outside: Pick<EsignDeps, 'world' | 'database' | 'secretBox'>,
): EsignDeps {
  const oauth =
    client && createEsignOauth({ url: oauthUrl, clientId: client.id, clientSecret: client.secret, allowsLocal });
  return { ...outside, oauth, allowsLocal };
}
