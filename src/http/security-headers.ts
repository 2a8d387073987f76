/**
 * Headers that control what browsers and caches may do with an answer. The server sets `baseHeaders` on every answer
 * before any route runs. A route overrides what differs, such as the caching of files whose name holds their hash.
 */
export type Headers = Readonly<Record<string, string>>;

/**
 * Headers of every answer, including errors and redirects. They forbid caching, MIME sniffing, framing and referrers.
 */
export const baseHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Two years. It omits `includeSubDomains` and `preload`, because other hosts of the domain belong to the operator. */
const strictTransportSecurity = 'max-age=63072000';

/** Returns `baseHeaders`, plus HSTS if the public URL is https. */
export function baseHeadersAt(publicUrl: string | null): Headers {
  if (publicUrl?.startsWith('https:') !== true) return baseHeaders;
  return { ...baseHeaders, 'strict-transport-security': strictTransportSecurity };
}

/** A month: the host belongs to the company, which may use it for something else later. */
const customHostTransportSecurity = 'max-age=2592000';

/** Returns what differs from `baseHeadersAt` on the host of a company. */
export function customHostHeaders(publicUrl: string | null): Headers {
  if (publicUrl?.startsWith('https:') !== true) return {};
  return { 'strict-transport-security': customHostTransportSecurity };
}

/**
 * Forbids inline and external content and framing. Forms are sent by script, so the browser never submits one itself.
 */
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

/**
 * Browser features that our pages don't use. Passkeys and the clipboard keep their default, which allows our own pages.
 */
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

/** Headers of every HTML page, in addition to `baseHeaders`. */
export const htmlHeaders: Headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  'x-frame-options': 'DENY',
};

/**
 * Headers of the signing form, which the browser submits without a script. Without a referrer, browsers would send
 * `Origin: null`, which is refused as another site's.
 */
export const formPageHeaders: Headers = {
  'content-security-policy': contentSecurityPolicy
    .replace("form-action 'none'", "form-action 'self'")
    .replace("script-src 'self'", "script-src 'none'")
    .replace("connect-src 'self'", "connect-src 'none'"),
  'referrer-policy': 'same-origin',
};

/** Policy of the console's pages, which show one of our pages in a frame. */
export const framingPagePolicy = `${contentSecurityPolicy}; frame-src 'self'`;

/** Headers of the framed page. */
export const framedPageHeaders: Headers = {
  'content-security-policy': contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  'x-frame-options': 'SAMEORIGIN',
};

/**
 * Headers of every page except the reference. Search engines must not index them, because an address may hold a token.
 */
export const pageHeaders: Headers = { ...baseHeaders, ...htmlHeaders, 'x-robots-tag': 'noindex, nofollow' };
