import { formatTime, type TimeStyle } from './format-time.ts';

/** A deadline is read in one's own time zone; the zone's name stands beside the hour. */
export function showLocalTimes(): void {
  const language = document.documentElement.lang === 'es' ? 'es' : 'en';
  for (const time of document.querySelectorAll('time')) {
    time.textContent = formatTime(new Date(time.dateTime), language, time.dataset.style as TimeStyle);
  }
}
