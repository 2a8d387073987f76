import { readCookie, writeCookie } from '../identity/cookie.ts';

/**
 * Returns the cookie of a browser that entered a recipient's code. Each recipient has its own cookie name, so that two
 * documents can be open at once. The cookie has no age: it ends with the browser or the verification. `origin` is that of
 * our pages. `isFramed`: the page is in a frame of another site.
 */
export function verificationCookie(recipientId: string, token: string, origin: string, isFramed = false): string {
  return writeCookie(nameOf(recipientId), token, { origin, sameSite: sameSite(isFramed), maxAgeSeconds: null });
}

/** Returns the header that deletes the cookie. */
export function expiredVerificationCookie(recipientId: string, origin: string, isFramed = false): string {
  return writeCookie(nameOf(recipientId), '', { origin, sameSite: sameSite(isFramed), maxAgeSeconds: 0 });
}

/** Returns this recipient's token from a `Cookie` header. */
export function readVerificationCookie(header: string | undefined, recipientId: string, origin: string): string | null {
  return readCookie(header, nameOf(recipientId), origin);
}

function sameSite(isFramed: boolean): 'Strict' | 'None' {
  return isFramed ? 'None' : 'Strict';
}

function nameOf(recipientId: string): string {
  return `countersign_verified_${recipientId}`;
}
