/** Paths allowed after sign-in: a document to sign or a page of the console, but no other site. */
const nextPath =
  /^\/(sign\/[A-Za-z0-9_-]{43}|(documents|templates|imports|settings|developers|account|operator)(\/[\w-]+)*(\?[\w%=&+.,:@*~-]*)?)$/;

/** At most as long as what is stored for a sign-in at a company's provider. */
const lengthMax = 2000;

/** Where to go after signing in: `to` if it is allowed, else the console. */
export function nextOf(to: unknown): string {
  return typeof to === 'string' && to.length <= lengthMax && nextPath.test(to) ? to : '/';
}

/** The sign-in page, which leads to `next` afterwards. */
export function signInPath(next: string): string {
  return next === '/' ? '/' : `/?to=${encodeURIComponent(next)}`;
}
