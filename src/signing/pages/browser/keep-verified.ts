import { element } from './elements.ts';
import { post } from './post.ts';

const betweenMs = 5 * 60_000;

/** A code opens the page for half an hour. Somebody who reads or fills in for longer keeps it open; a page left alone closes. */
export function keepVerified(): void {
  if (!('verified' in element('page').dataset)) return;
  let kept = performance.now();
  const keep = () => {
    if (performance.now() - kept < betweenMs) return;
    kept = performance.now();
    void post('viewed', {});
  };
  for (const sign of ['pointerdown', 'keydown', 'scroll']) addEventListener(sign, keep, { passive: true });
}
