import { isPreview } from './elements.ts';
import { formatTime, type TimeStyle } from './format-time.ts';
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

/** Rewrites times in the browser's time zone, with the name of the zone. */
export function showLocalTimes(): void {
  const { lang } = document.documentElement;
  for (const time of document.querySelectorAll('time')) {
    time.textContent = formatTime(new Date(time.dateTime), lang, time.dataset.style as TimeStyle);
  }
}

/** Disables links in a preview. The pages behind them aren't part of it. */
export function stayInPreview(): void {
  if (!isPreview()) return;
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a[href]:not([href^="#"])')) event.preventDefault();
  });
}

/** Shows the controls, which are hidden until they do something. Called at the end, so that they stay hidden if setting up fails. */
export function showControls(): void {
  document.documentElement.classList.add('is-scripted');
}
