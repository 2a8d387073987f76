import { element, texts } from './elements.ts';
import { post } from './post.ts';
import { explain } from './submission.ts';

/**
 * Sets up `Finish`, which clears the page for the next person at the device. A heading without name or title remains. The
 * link leaves the address bar, so a reload shows nothing of the document, and an entered code no longer opens it. On a device that was
 * handed over, a sign-in of the recipient ends too.
 */
export function setUpFinish(): void {
  const button = document.getElementById('finish');
  const isVerified = 'verified' in element('page').dataset;
  const isInPerson = 'inPerson' in element('page').dataset;
  button?.addEventListener('click', () => {
    if (isVerified || isInPerson) void post('finish', {});
    const heading = document.createElement('h1');
    heading.tabIndex = -1;
    heading.textContent = element('outcome-heading').textContent;
    const sentence = document.createElement('p');
    sentence.textContent = isInPerson ? texts().handBackText : texts().closedText;
    const article = document.createElement('article');
    article.className = 'document-card notice-page';
    const brand = document.createElement('p');
    brand.className = 'notice-brand';
    brand.textContent = 'Countersign';
    article.append(brand, heading, sentence);

    for (const id of ['masthead', 'colophon']) document.getElementById(id)?.remove();
    element('page').replaceChildren(article);
    document.title = texts().closedTitle;
    history.replaceState(null, '', '/sign/finished');
    heading.focus();
  });
}

const betweenMs = 5 * 60_000;

/**
 * Extends the verification, which lasts half an hour, while the page is used. An unused page closes. Scroll events don't
 * count, because the page also scrolls by itself. A person who scrolls turns a wheel, touches, clicks or presses a key. If the
 * verification has ended, says so next to the button that leads to a new one.
 */
export function keepVerified(): void {
  if (!('verified' in element('page').dataset)) return;
  let kept = Date.now(); // `performance.now` stands still in some browsers while the device sleeps
  const keep = async () => {
    if (document.visibilityState !== 'visible' || Date.now() - kept < betweenMs) return;
    kept = Date.now();
    const answer = await post('viewed', {});
    if (answer.kind === 'unreachable') kept = 0; // the next sign tries again
    if (answer.kind !== 'done' || answer.state !== 'needs_code') return;
    const ended = { kind: 'refused', code: 'verification_required', retryAfterSeconds: null } as const;
    explain(ended, { problem: element('sign-problem') }, () => {});
  };
  document.addEventListener('visibilitychange', keep);
  for (const sign of ['pointerdown', 'keydown', 'wheel']) addEventListener(sign, keep, { passive: true });
}
