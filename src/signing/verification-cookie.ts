import { cookieNames, readCookie, writeCookie } from '../identity/cookie.ts';

/**
 * Returns the cookie of a browser that entered a recipient's code. Each recipient has its own cookie name, so that two
 * documents can be open at once. The cookie has no age: it ends with the browser or the verification. `origin` is that of
 * our pages. `isFramed`: the page is in a frame of another site. Such a cookie has a name of its own, because a browser may send both.
 */
export function verificationCookie(recipientId: string, token: string, origin: string, isFramed: boolean): string {
  const sameSite = isFramed ? 'None' : 'Strict';
  return writeCookie(nameOf(recipientId, isFramed), token, { origin, sameSite, maxAgeSeconds: null });
}

/** The number of other recipients whose cookies a browser keeps. */
const othersMax = 20;

/**
 * Returns the header of a new cookie, and those that delete the oldest ones of other recipients when there are many. A browser that is
 * never closed would send them all, until its requests are too large for the server. `header`: what the browser sent.
 */
export function verificationCookies(
  header: string | undefined,
  recipientId: string,
  token: string,
  origin: string,
  isFramed: boolean,
): string[] {
  const old = [false, true].flatMap((framed) =>
    cookieNames(header, nameOf('', framed), origin)
      .filter((name) => name !== nameOf(recipientId, framed))
      .slice(0, -othersMax)
      .map((name) => expired(name, framed, origin)),
  );
  return [verificationCookie(recipientId, token, origin, isFramed), ...old];
}

/** Returns the headers that delete the cookies that the browser has. */
export function expiredVerificationCookies(header: string | undefined, recipientId: string, origin: string): string[] {
  return [false, true]
    .filter((isFramed) => readCookie(header, nameOf(recipientId, isFramed), origin) !== null)
    .map((isFramed) => expired(nameOf(recipientId, isFramed), isFramed, origin));
}

function expired(name: string, isFramed: boolean, origin: string): string {
  return writeCookie(name, '', { origin, sameSite: isFramed ? 'None' : 'Strict', maxAgeSeconds: 0 });
}

/** Returns this recipient's tokens from a `Cookie` header. One may have ended while the other is valid. */
export function readVerificationCookies(header: string | undefined, recipientId: string, origin: string): string[] {
  const tokens = [false, true].map((isFramed) => readCookie(header, nameOf(recipientId, isFramed), origin));
  return tokens.filter((token) => token !== null);
}

function nameOf(recipientId: string, isFramed: boolean): string {
  return `countersign_${isFramed ? 'framed' : 'verified'}_${recipientId}`;
}
