import { element } from './elements.ts';

/** Shows the form for signing or the one for declining, and hides the other. */
export function showDecision(decision: 'sign' | 'decline'): void {
  element('sign-part').hidden = decision !== 'sign';
  element('decline-part').hidden = decision !== 'decline';
  const actionBar = document.getElementById('action-bar'); // pages with a file only
  if (actionBar) actionBar.hidden = decision !== 'sign';
}
