import { element } from './elements.ts';

const levels = [1, 1.25, 1.5, 2, 3] as const;

/** Sets up the zoom buttons, for people who can't pinch. The browser's own zoom works too. */
export function setUpZoom(): void {
  const sheets = element('sheets');
  const zoomOut = element('zoom-out');
  const zoomIn = element('zoom-in');
  let level = 0;

  const zoomTo = (next: number) => {
    const factor = levels[next];
    if (factor === undefined) return;
    const restore = rememberMiddle(sheets);
    level = next;
    sheets.style.setProperty('--zoom', String(factor));
    // Only a region that scrolls must be reachable with the keyboard.
    if (level === 0) sheets.removeAttribute('tabindex');
    else sheets.tabIndex = 0;
    zoomOut.setAttribute('aria-disabled', String(next === 0));
    zoomIn.setAttribute('aria-disabled', String(next === levels.length - 1));
    element('zoom-level').textContent = new Intl.NumberFormat(document.documentElement.lang, {
      style: 'percent',
    }).format(factor);
    restore();
    askForSharperImages(sheets);
  };
  zoomOut.addEventListener('click', () => zoomTo(level - 1));
  zoomIn.addEventListener('click', () => zoomTo(level + 1));
}

/** Returns a function that scrolls the middle of the screen back to the middle after zooming. */
function rememberMiddle(sheets: HTMLElement): () => void {
  const middle = innerHeight / 2;
  const all = [...sheets.children] as HTMLElement[];
  const sheet = all.find((one) => one.getBoundingClientRect().bottom > middle) ?? all.at(-1);
  const before = sheet?.getBoundingClientRect();
  if (sheet === undefined || before === undefined) return () => {};
  const part = (middle - before.top) / before.height;
  const across = (sheets.scrollLeft + sheets.clientWidth / 2) / sheets.scrollWidth;
  return () => {
    const after = sheet.getBoundingClientRect();
    scrollBy({ top: after.top + part * after.height - middle, behavior: 'instant' });
    sheets.scrollLeft = across * sheets.scrollWidth - sheets.clientWidth / 2;
  };
}

/** Updates `sizes`, by which the browser chooses an image. */
function askForSharperImages(sheets: HTMLElement): void {
  for (const image of sheets.querySelectorAll('img')) image.sizes = `${Math.round(image.clientWidth)}px`;
}
