import { element } from './elements.ts';
import { post } from './post.ts';

const betweenMs = 5 * 60_000;

/** Extends the verification, which lasts half an hour, while the page is used. An unused page closes. */
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
