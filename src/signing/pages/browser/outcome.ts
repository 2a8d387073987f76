import { element } from './elements.ts';
import { loadDocument } from './load-document.ts';

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

const waitsMs = [2_000, 3_000, 5_000, 8_000, 15_000];
const triesMax = 60;

/**
 * Checks the page regularly while the copy is being sealed, and shows the link once it is ready. `onReady` gets the page as it
 * is then.
 */
export function awaitCopy(onReady: (fresh: Document) => void = () => {}): void {
  if (element('copy').dataset.copy === 'preparing') lookLater(0, onReady);
}

function lookLater(tries: number, onReady: (fresh: Document) => void): void {
  if (tries >= triesMax) return;
  setTimeout(
    async () => {
      const copy = document.getElementById('copy');
      if (copy === null) return; // the recipient chose `Finish`, which cleared the page
      if (document.visibilityState !== 'visible') return lookLater(tries, onReady);
      const fresh = await loadDocument(location.href).catch(() => null);
      const status = fresh?.getElementById('copy')?.dataset.copy ?? 'preparing';
      if (fresh === null || status === 'preparing') return lookLater(tries + 1, onReady);
      if (status !== 'ready') return showReason(fresh);
      showLink(copy);
      onReady(fresh);
    },
    waitsMs[Math.min(tries, waitsMs.length - 1)],
  );
}

/** Shows why there will be no copy soon. */
function showReason(fresh: Document): void {
  element('copy-preparing').textContent = fresh.getElementById('copy-preparing')?.textContent ?? '';
}

/** Shows the link without a reload, so that scroll position and focus stay and the live region announces it. */
function showLink(copy: HTMLElement): void {
  copy.dataset.copy = 'ready';
  element('copy-preparing').hidden = true;
  element('copy-ready').hidden = false;
}
