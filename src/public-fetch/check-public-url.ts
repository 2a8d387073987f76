import { isIP } from 'node:net';
import { nonPublicRange } from './address-rules.ts';

export type CheckedUrl = { url: URL } | { refused: string };

export interface UrlRules {
  /** Allows `http` and private addresses. For development and tests. */
  allowPrivate: boolean;
}

const lengthMax = 2048;

/** Domains of private networks (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const privateDomains = ['localhost', 'local', 'internal', 'home.arpa', 'localdomain', 'lan', 'intranet', 'corp'];

const hostName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/**
 * Checks the text of a user's URL. Its host is resolved and checked at each call. Returns the canonical URL without its
 * fragment, which is the one to fetch, or the reason of a refusal as the end of "the URL …".
 */
export function checkPublicUrl(text: string, { allowPrivate }: UrlRules): CheckedUrl {
  if (text.length > lengthMax) return tooLong;
  // The URL parser accepts characters that people don't see or read differently: line ends, invisible characters, `\`
  // for `/`.
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

/** Returns the host of a URL for a lookup or connection: a name, or an IP address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** Detects empty user info, as in `https://@example.com`, which the parser drops. */
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
