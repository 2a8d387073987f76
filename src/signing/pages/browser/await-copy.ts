import { element } from './elements.ts';

const waitsMs = [2_000, 3_000, 5_000, 8_000, 15_000];
const triesMax = 60;

/** Checks the page regularly while the copy is being sealed, and shows the link once it is ready. */
export function awaitCopy(): void {
  if (element('copy').dataset.copy === 'preparing') lookLater(0);
}

function lookLater(tries: number): void {
  if (tries >= triesMax) return;
  setTimeout(
    async () => {
      const copy = document.getElementById('copy');
      if (copy === null) return; // the recipient chose `Finish`, which cleared the page
      if (document.visibilityState !== 'visible') lookLater(tries);
      else if (await isReady()) showLink(copy);
      else lookLater(tries + 1);
    },
    waitsMs[Math.min(tries, waitsMs.length - 1)],
  );
}

async function isReady(): Promise<boolean> {
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    return response.ok && (await response.text()).includes('data-copy="ready"');
  } catch {
    return false;
  }
}

/** Shows the link without a reload, so that scroll position and focus stay and the live region announces it. */
function showLink(copy: HTMLElement): void {
  copy.dataset.copy = 'ready';
  element('copy-preparing').hidden = true;
  element('copy-ready').hidden = false;
}
