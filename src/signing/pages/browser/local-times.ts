import { formatTime, type TimeStyle } from './format-time.ts';

/** Rewrites times in the browser's time zone, with the name of the zone. */
export function showLocalTimes(): void {
  const language = document.documentElement.lang === 'es' ? 'es' : 'en';
  for (const time of document.querySelectorAll('time')) {
    time.textContent = formatTime(new Date(time.dateTime), language, time.dataset.style as TimeStyle);
  }
}
