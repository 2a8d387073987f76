/**
 * The cookie of a browser that gave a recipient's code. It has a name for each recipient, so that two documents can be
 * open side by side, and no age: the service ends it, and the browser when it is closed.
 */
export function verificationCookie(recipientId: string, token: string, origin: string): string {
  return `${nameOf(recipientId)}=${token}; ${attributes(origin)}`;
}

/** Makes the browser forget it. */
export function expiredVerificationCookie(recipientId: string, origin: string): string {
  return `${nameOf(recipientId)}=; Max-Age=0; ${attributes(origin)}`;
}

/** Of the whole `Cookie` header, the token for this recipient. */
export function readVerificationCookie(header: string | undefined, recipientId: string): string | null {
  const start = `${nameOf(recipientId)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}

function nameOf(recipientId: string): string {
  return `countersign_verified_${recipientId}`;
}

function attributes(origin: string): string {
  return `Path=/sign; HttpOnly; SameSite=Strict${origin.startsWith('https:') ? '; Secure' : ''}`;
}
