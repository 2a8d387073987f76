import type { Config } from '../config.ts';
import { createEsignOauth } from '../world/esign-oauth.ts';
import type { EsignMeans } from './esign-means.ts';

export function openEsign(
  { esign: { oauthUrl, allowsLocal, client } }: Config,
  outside: Pick<EsignMeans, 'world' | 'database' | 'secretBox'>,
): EsignMeans {
  const oauth =
    client && createEsignOauth({ url: oauthUrl, clientId: client.id, clientSecret: client.secret, allowsLocal });
  return { ...outside, oauth, allowsLocal };
}
