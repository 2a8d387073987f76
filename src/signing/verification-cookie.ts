import { readCookie, writeCookie } from '../identity/cookie.ts';

/**
 * The cookie of a browser that gave a recipient's code. It has a name for each recipient, so that two documents can be
 * open side by side, and no age: the service ends it, and the browser when it is closed. `origin` is that of our pages.
 */
export function verificationCookie(recipientId: string, token: string, origin: string): string {
  return writeCookie(nameOf(recipientId), token, { origin, sameSite: 'Strict', maxAgeSeconds: null });
}

/** Makes the browser forget it. */
export function expiredVerificationCookie(recipientId: string, origin: string): string {
  return writeCookie(nameOf(recipientId), '', { origin, sameSite: 'Strict', maxAgeSeconds: 0 });
}

/** The token for this recipient in a whole `Cookie` header. */
export function readVerificationCookie(header: string | undefined, recipientId: string, origin: string): string | null {
  return readCookie(header, nameOf(recipientId), origin);
}

function nameOf(recipientId: string): string {
  return `countersign_verified_${recipientId}`;
}
