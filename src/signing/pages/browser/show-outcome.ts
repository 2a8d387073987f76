import { element } from './elements.ts';

/** Loads the page anew: the server renders what the document has come to. */
export function showOutcome(): void {
  history.replaceState({ showsOutcome: true }, '');
  history.scrollRestoration = 'manual'; // what was signed at the foot of the page is told at its head
  // A link to the sealed PDF ends here too when a code has to be given first; the way on is the page.
  const { address = location.pathname } = element('page').dataset;
  if (location.pathname === address) location.reload();
  else location.replace(address);
}

/** After that reload, screen reader and keyboard go on at the heading that says what happened. */
export function focusOutcome(): void {
  if (!(history.state as { showsOutcome?: boolean } | null)?.showsOutcome) return;
  history.replaceState(null, '');
  const heading = document.getElementById('outcome-heading') ?? element('title');
  heading.tabIndex = -1;
  heading.focus();
}
