import { element } from './elements.ts';

/** Signing and declining take each other's place, so that only one decision is on the screen. */
export function showDecision(decision: 'sign' | 'decline'): void {
  element('sign-part').hidden = decision !== 'sign';
  element('decline-part').hidden = decision !== 'decline';
  const actionBar = document.getElementById('action-bar'); // with a file
  if (actionBar) actionBar.hidden = decision !== 'sign';
}
