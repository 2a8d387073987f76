import { HttpTimestampAuthority } from '@libpdf/core';
import { child, octets, readDer } from './der.ts';

type TimestampAuthority = Pick<HttpTimestampAuthority, 'timestamp'>;

const timeoutMs = 15_000;

/** Thrown when the authority makes no time-stamp that can be used. It may make one the next time. */
export class TimeStampError extends Error {
  override readonly name = 'TimeStampError';
}

/**
 * Makes a client for the RFC 3161 authority at `tsaUrl`, which may contain a user name and a password. Checks that the
 * time-stamp is for the digest that was sent. Every error is a `TimeStampError` and names the host of the authority.
 */
export function timestampAuthority(tsaUrl: string): TimestampAuthority {
  const { url, headers } = withoutCredentials(new URL(tsaUrl));
  const authority = new HttpTimestampAuthority(url.href, { headers, timeout: timeoutMs });
  return {
    async timestamp(digest, algorithm) {
      try {
        const token = await authority.timestamp(digest, algorithm);
        if (!stampedDigest(token).equals(digest)) throw new Error('its time-stamp is for other data');
        return token;
      } catch (error) {
        const reason = (error as Error).message;
        throw new TimeStampError(`no time-stamp from the authority at ${url.host}: ${reason}`, { cause: error });
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

/** Returns the message imprint of a token (RFC 3161, 2.4.2). It is in the TSTInfo inside the signed data. */
function stampedDigest(token: Uint8Array): Buffer {
  const signedData = child(child(readDer(Buffer.from(token)), 1), 0);
  const info = readDer(octets(child(child(child(signedData, 2), 1), 0)));
  return octets(child(child(info, 2), 1));
}
