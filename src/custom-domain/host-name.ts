import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

/** Why a name can't be a company's own host. */
export type HostFault =
  /** No host name at all: an address with a path, an IP address, an underscore, a label that is too long. */
  | 'invalid'
  /** A single label, or a name below which anyone registers names. */
  | 'too_short'
  /** That of the service, or above or below it. */
  | 'ours';

const hostLengthMax = 253;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const topLevel = /^(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63})$/;
/** ASCII characters that the URL parser gives a meaning. */
const foreignToHosts = /[\0-,/:-@[-^`{-\x7f]/;

/** Never found in DNS (RFC 6761, 6762, 7686), or not for hosts (`arpa`). */
const reserved = ['localhost', 'local', 'invalid', 'onion', 'arpa'];

/** Second levels below which countries register names: `co.uk`, `com.au`. */
const secondLevels = 'ac co com edu gob gouv gov mil ne net nom or org sch'.split(' ');

/** Domains of providers below which their customers have names. */
const providers = [
  ...['github.io', 'gitlab.io', 'pages.dev', 'workers.dev', 'vercel.app', 'netlify.app', 'web.app', 'firebaseapp.com'],
  ...['herokuapp.com', 'azurewebsites.net', 'cloudfront.net', 'amazonaws.com', 'run.app', 'fly.dev', 'onrender.com'],
];

/** Reads a typed host name, such as `Firma.Bücher.example`. `serviceHost`: the host of PUBLIC_URL. */
export function readHostName(text: string, serviceHost: string): { host: string } | { fault: HostFault } {
  const typed = text.trim().replace(/\.$/, '').toLowerCase();
  if (typed === '' || foreignToHosts.test(typed)) return { fault: 'invalid' };
  const host = /^[\0-\x7f]*$/.test(typed) ? typed : domainToASCII(typed);
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  if (host.length > hostLengthMax || isIP(host) !== 0 || !labels.every((each) => isLabel(each))) {
    return { fault: 'invalid' };
  }
  if (labels.length === 1) return { fault: 'too_short' };
  if (!topLevel.test(last) || reserved.includes(last)) return { fault: 'invalid' };
  if (labels.length === 2 && last.length === 2 && secondLevels.includes(labels[0] as string)) {
    return { fault: 'too_short' };
  }
  if (providers.includes(host)) return { fault: 'too_short' };
  const ours = serviceHost.toLowerCase();
  if (host === ours || host.endsWith(`.${ours}`) || ours.endsWith(`.${host}`)) return { fault: 'ours' };
  return { host };
}

/** Whether DNS and browsers take it. An A-label must be the one of its own Unicode form. */
function isLabel(text: string): boolean {
  if (!label.test(text)) return false;
  if (!text.startsWith('xn--')) return text.slice(2, 4) !== '--';
  const shown = domainToUnicode(text);
  return shown !== '' && shown !== text && domainToASCII(shown) === text;
}

const scripts = [
  /^[\p{Script=Latin}\p{M}\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\d-]+$/u,
  /^[\p{Script=Arabic}\p{M}\d-]+$/u,
  /^[\p{Script=Devanagari}\p{M}\d-]+$/u,
  /^[\p{Script=Hebrew}\p{M}\d-]+$/u,
  /^[\p{Script=Thai}\p{M}\d-]+$/u,
];

/**
 * The Unicode form of a host, to be shown next to the host. Null where it has none, and where it could look like another
 * name: a label that mixes scripts, or one of a script with letters like Latin ones (Cyrillic, Greek).
 */
export function unicodeHost(host: string): string | null {
  const shown = domainToUnicode(host);
  if (shown === '' || shown === host) return null;
  return shown.split('.').every((each) => scripts.some((script) => script.test(each))) ? shown : null;
}
