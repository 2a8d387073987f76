import { element } from './elements.ts';

/** Reloads the page, so that the server renders the new state. */
export function showOutcome(): void {
  history.replaceState({ showsOutcome: true }, '');
  history.scrollRestoration = 'manual'; // the outcome is at the top of the page
  // A link to the sealed PDF also leads here if a code is required first, so the page's own address is loaded.
  const { address = location.pathname } = element('page').dataset;
  if (location.pathname === address) location.reload();
  else location.replace(address);
}

/** Focuses the heading with the outcome after that reload, for keyboards and screen readers. */
export function focusOutcome(): void {
  if (!(history.state as { showsOutcome?: boolean } | null)?.showsOutcome) return;
  history.replaceState(null, '');
  const heading = document.getElementById('outcome-heading') ?? element('title');
  heading.tabIndex = -1;
  heading.focus();
}
