import { post } from './post.ts';

const retryAfterMs = [3_000, 10_000, 30_000];

/** Tells the server that a person has the page before their eyes: not a link scanner, a prerender or a tab in the background. */
export function reportViewed(): void {
  if (document.visibilityState !== 'visible') {
    document.addEventListener('visibilitychange', reportViewed, { once: true });
  } else if (document.readyState !== 'complete') {
    addEventListener('load', reportViewed, { once: true });
  } else {
    void report(0);
  }
}

/** A prerendered page counts as hidden, so the wait above covers it. Failing is no matter for the reader. */
async function report(attempt: number): Promise<void> {
  const answer = await post('viewed', {});
  const delay = retryAfterMs[attempt];
  if (answer.kind === 'unreachable' && delay !== undefined) setTimeout(() => void report(attempt + 1), delay);
}
