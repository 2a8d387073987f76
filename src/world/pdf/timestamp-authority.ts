import { HttpTimestampAuthority } from '@libpdf/core';
import { child, octets, readDer } from './certificate/der.ts';

type TimestampAuthority = Pick<HttpTimestampAuthority, 'timestamp'>;

const timeoutMs = 15_000;

/**
 * The RFC 3161 authority at an operator's URL, which may hold a user and a password. Every failure names the authority,
 * and a stamp for anything but the digest that was sent is a failure too.
 */
export function timestampAuthority(tsaUrl: string): TimestampAuthority {
  const { url, headers } = withoutCredentials(new URL(tsaUrl));
  const authority = new HttpTimestampAuthority(url.href, { headers, timeout: timeoutMs });
  return {
    async timestamp(digest, algorithm) {
      try {
        const token = await authority.timestamp(digest, algorithm);
        if (!stampedDigest(token).equals(digest)) throw new Error('it stamped something else');
        return token;
      } catch (error) {
        throw new Error(`no time-stamp from the authority at ${url.host}: ${(error as Error).message}`);
      }
    },
  };
}

function withoutCredentials(url: URL): { url: URL; headers: Record<string, string> } {
  if (url.username === '') return { url, headers: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return { url: bare, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

/** The message imprint in the TSTInfo inside the signed data that a token is (RFC 3161, 2.4.2). */
function stampedDigest(token: Uint8Array): Buffer {
  const signedData = child(child(readDer(Buffer.from(token)), 1), 0);
  const info = readDer(octets(child(child(child(signedData, 2), 1), 0)));
  return octets(child(child(info, 2), 1));
}
