import { post } from './post.ts';

const retryAfterMs = [3_000, 10_000, 30_000];

/** Reports that a person sees the page, not a link scanner, a prerender or a background tab. */
export function reportViewed(): void {
  if (document.visibilityState !== 'visible') {
    document.addEventListener('visibilitychange', reportViewed, { once: true });
  } else if (document.readyState !== 'complete') {
    addEventListener('load', reportViewed, { once: true });
  } else {
    void report(0);
  }
}

/** Sends the report. A prerendered page counts as hidden, so it waits above. Failures don't concern the recipient. */
async function report(attempt: number): Promise<void> {
  const answer = await post('viewed', {});
  const delay = retryAfterMs[attempt];
  if (answer.kind === 'unreachable' && delay !== undefined) setTimeout(() => void report(attempt + 1), delay);
}
