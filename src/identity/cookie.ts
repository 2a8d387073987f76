/**
 * Cookies of ours. With https their names begin with `__Host-`: browsers then take them from this very host over TLS
 * only, so no other host of the domain can plant one. `origin` is that of our pages.
 */
export interface CookieOptions {
  origin: string;
  /** `None` is for a page in a frame of another site. Such a cookie is partitioned: it is sent only in frames of that site. */
  sameSite: 'Lax' | 'Strict' | 'None';
  /** Null: until the browser is closed. 0 makes the browser forget it. */
  maxAgeSeconds: number | null;
}

export function writeCookie(name: string, value: string, { origin, sameSite, maxAgeSeconds }: CookieOptions): string {
  const age = maxAgeSeconds === null ? '' : `; Max-Age=${maxAgeSeconds}`;
  // Browsers want `None` to be secure, also on their own machine, which they trust without TLS.
  const isFramed = sameSite === 'None';
  const secure = `${isSecure(origin) || isFramed ? '; Secure' : ''}${isFramed ? '; Partitioned' : ''}`;
  return `${nameOf(name, origin)}=${value}${age}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** The value in a whole `Cookie` header. Null when there is none. */
export function readCookie(header: string | undefined, name: string, origin: string): string | null {
  const start = `${nameOf(name, origin)}=`;
  const pairs = header?.split(';').map((pair) => pair.trim());
  return pairs?.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
}

/** Returns the names of our cookies in a whole `Cookie` header that begin with `prefix`, the oldest first, as browsers send them. */
export function cookieNames(header: string | undefined, prefix: string, origin: string): string[] {
  const names = header?.split(';').map((pair) => pair.trim().split('=')[0] ?? '') ?? [];
  const host = nameOf('', origin);
  return names.filter((name) => name.startsWith(host + prefix)).map((name) => name.slice(host.length));
}

function nameOf(name: string, origin: string): string {
  return isSecure(origin) ? `__Host-${name}` : name;
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}
