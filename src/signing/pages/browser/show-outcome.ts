/** Loads the page anew: the server renders what the document has come to. */
export function showOutcome(): void {
  history.replaceState({ showsOutcome: true }, '');
  history.scrollRestoration = 'manual'; // what was signed at the foot of the page is told at its head
  location.reload();
}

/** After that reload, screen reader and keyboard go on at the heading that says what happened. */
export function focusOutcome(): void {
  if (!(history.state as { showsOutcome?: boolean } | null)?.showsOutcome) return;
  history.replaceState(null, '');
  document.getElementById('outcome-heading')?.focus();
}
