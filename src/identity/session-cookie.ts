import { readCookie, writeCookie } from './cookie.ts';
import { browserDaysMax } from './known-browsers.ts';
import { isToken } from './token.ts';

/** The cookies of a browser that signs in. */
export type SignInStage = 'second_factor' | 'open';

const names: Record<SignInStage, string> = {
  open: 'countersign_session',
  second_factor: 'countersign_sign_in',
};

/**
 * An open session is sent along with a link followed from elsewhere, a message say; what is half signed in goes nowhere
 * but back to our own pages.
 */
const sameSite = { open: 'Lax', second_factor: 'Strict' } as const;

/** `origin` is that of our pages. */
export function sessionCookie(stage: SignInStage, token: string, origin: string, maxAgeSeconds: number): string {
  return writeCookie(names[stage], token, { origin, sameSite: sameSite[stage], maxAgeSeconds });
}

/** Makes the browser forget it. */
export function expiredSessionCookie(stage: SignInStage, origin: string): string {
  return sessionCookie(stage, '', origin, 0);
}

/** The token in a whole `Cookie` header. Null where there is none that could be one of ours. */
export function readSessionCookie(header: string | undefined, stage: SignInStage, origin: string): string | null {
  return readToken(header, names[stage], origin);
}

const browserName = 'countersign_browser';

/** Tells a browser that someone has signed in with before. It signs nobody in. */
export function browserCookie(token: string, origin: string): string {
  return writeCookie(browserName, token, { origin, sameSite: 'Strict', maxAgeSeconds: browserDaysMax * 86_400 });
}

export function readBrowserCookie(header: string | undefined, origin: string): string | null {
  return readToken(header, browserName, origin);
}

const ssoName = 'countersign_sso';

/** Binds a sign-in at a company's provider to the browser that started it. It signs nobody in. */
export function ssoCookie(token: string, origin: string, maxAgeSeconds: number): string {
  return writeCookie(ssoName, token, { origin, sameSite: 'Strict', maxAgeSeconds });
}

export function readSsoCookie(header: string | undefined, origin: string): string | null {
  return readToken(header, ssoName, origin);
}

function readToken(header: string | undefined, name: string, origin: string): string | null {
  const token = readCookie(header, name, origin);
  return token !== null && isToken(token) ? token : null;
}
