import { type Html, html } from '../../http/html.ts';
import type { PageLanguage } from '../../page-texts/texts.ts';
import { formatTime, type TimeStyle } from './browser/format-time.ts';

/** Renders a time in UTC. The script rewrites it in the browser's time zone. */
export function timeElement(at: Date, language: PageLanguage, style: TimeStyle = 'minute'): Html {
  return html`<time datetime="${at.toISOString()}" data-style="${style}">${formatTime(at, language, style, 'UTC')}</time>`;
}
