/**
 * The headers that say what browsers and caches may do with an answer. The server puts `baseHeaders` on every answer
 * before any route runs; a route only overrides what differs, such as the caching of a file whose name holds its hash.
 */
export type Headers = Readonly<Record<string, string>>;

/** For every answer, errors and redirects included: nothing is stored, guessed, framed or passed on as a referrer. */
export const baseHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Two years. Without `includeSubDomains` and `preload`: other hosts of the domain are not ours to decide about. */
const strictTransportSecurity = 'max-age=63072000';

/** `baseHeaders`, and HSTS where the public address is https. */
export function baseHeadersAt(publicUrl: string | null): Headers {
  if (publicUrl?.startsWith('https:') !== true) return baseHeaders;
  return { ...baseHeaders, 'strict-transport-security': strictTransportSecurity };
}

/** Nothing inline, nothing from elsewhere, never framed. Forms are sent by script, so a form that escapes it goes nowhere. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Features of browsers that no page of ours uses. Passkeys and the clipboard are left to our own pages, as by default. */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/** For every HTML page, next to `baseHeaders`. */
export const htmlHeaders: Headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  'x-frame-options': 'DENY',
};

/** For the console's pages, which show a page of ours in a frame. */
export const framingPagePolicy = `${contentSecurityPolicy}; frame-src 'self'`;

/** For the page that is shown there. */
export const framedPageHeaders: Headers = {
  'content-security-policy': contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  'x-frame-options': 'SAMEORIGIN',
};

/** For every page but the reference: search engines keep away, because an address may hold a token. */
export const pageHeaders: Headers = { ...baseHeaders, ...htmlHeaders, 'x-robots-tag': 'noindex, nofollow' };
