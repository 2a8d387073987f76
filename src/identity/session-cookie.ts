import { isToken } from './token.ts';

/**
 * The cookies of a browser that signs in. On https their names begin with `__Host-`, which browsers take from this very
 * host over TLS only, so that no other host of the domain can put one there.
 */
export type SignInStage = 'second_factor' | 'open';

const names: Record<SignInStage, string> = {
  open: 'countersign_session',
  second_factor: 'countersign_sign_in',
};

/**
 * An open session is sent along with a link followed from elsewhere, a message say; what is half signed in goes nowhere
 * but back to our own pages. `origin` is that of our pages.
 */
export function sessionCookie(stage: SignInStage, token: string, origin: string, maxAgeSeconds: number): string {
  return `${nameOf(stage, origin)}=${token}; Max-Age=${maxAgeSeconds}; ${attributes(stage, origin)}`;
}

/** Makes the browser forget it. */
export function expiredSessionCookie(stage: SignInStage, origin: string): string {
  return `${nameOf(stage, origin)}=; Max-Age=0; ${attributes(stage, origin)}`;
}

/** Of the whole `Cookie` header, the token. Null where there is none that could be one of ours. */
export function readSessionCookie(header: string | undefined, stage: SignInStage, origin: string): string | null {
  const start = `${nameOf(stage, origin)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  const token = pair?.slice(start.length) ?? '';
  return isToken(token) ? token : null;
}

function nameOf(stage: SignInStage, origin: string): string {
  return isSecure(origin) ? `__Host-${names[stage]}` : names[stage];
}

function attributes(stage: SignInStage, origin: string): string {
  const sameSite = stage === 'open' ? 'Lax' : 'Strict';
  return `Path=/; HttpOnly; SameSite=${sameSite}${isSecure(origin) ? '; Secure' : ''}`;
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}
