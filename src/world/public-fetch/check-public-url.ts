import { isIP } from 'node:net';
import { nonPublicRange } from './address-rules.ts';

export type CheckedUrl = { url: URL } | { refused: string };

export interface UrlRules {
  /** `http` too, and any address: for development and tests. */
  allowPrivate: boolean;
}

const lengthMax = 2048;

/** Domains that only mean something inside of somebody's network (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const privateDomains = ['localhost', 'local', 'internal', 'home.arpa', 'localdomain', 'lan', 'intranet', 'corp'];

const hostName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/**
 * Whether an address that a stranger gave us may be called, as far as its text says; where its name leads is looked at
 * when it is called. The URL that comes back is the canonical one: it is fetched as it stands, without its fragment.
 * A refusal is a predicate for a sentence, "the URL …".
 */
export function checkPublicUrl(text: string, { allowPrivate }: UrlRules): CheckedUrl {
  if (text.length > lengthMax) return tooLong;
  // The parser forgives what a reader does not see or reads otherwise: line ends, invisible letters, `\` for `/`.
  if (/[\p{C}\p{Z}\\]/u.test(text)) return { refused: 'must not contain white space, invisible characters or \\' };
  const scheme = /^(https?):\/\/[^/?#]/i.exec(text)?.[1]?.toLowerCase();
  const url = scheme === undefined ? null : URL.parse(text);
  if (url === null) return { refused: 'must be an absolute https address' };
  if (scheme === 'http' && !allowPrivate) return { refused: 'must start with https://' };

  if (url.username !== '' || url.password !== '' || hasUserInfo(text)) {
    return { refused: 'must not contain a user name or password' };
  }
  if (url.port === '0') return { refused: 'must not have port 0' };
  if (url.hash !== '') url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (url.href.length > lengthMax) return tooLong;
  const refused = hostRefusal(hostOf(url), allowPrivate);
  return refused === null ? { url } : { refused };
}

const tooLong = { refused: `must have at most ${lengthMax} characters` };

/** The host of a URL as it is looked up or connected to: a name, or an IP address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** `https://@example.com` has an empty one, which the parser drops. */
function hasUserInfo(text: string): boolean {
  return /^https?:\/\/[^/?#]*@/i.test(text);
}

function hostRefusal(host: string, allowPrivate: boolean): string | null {
  if (isIP(host) !== 0) {
    const range = allowPrivate ? null : nonPublicRange(host);
    return range === null ? null : `must have a public host: this address is not (${range})`;
  }
  if (!hostName.test(host)) return 'must have a valid host name';
  if (allowPrivate) return null;
  const isPrivate = !host.includes('.') || privateDomains.some((domain) => host.endsWith(`.${domain}`));
  return isPrivate ? 'must have a public host: this name is of a private network' : null;
}
