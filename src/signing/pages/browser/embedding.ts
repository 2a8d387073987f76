import { element } from './elements.ts';

/** What the page tells the site that shows it in a frame. */
type EmbedEvent = 'ready' | 'signed' | 'declined';

/** The site's script names the frame so, because the name stays when the page reloads. It is followed by the site's origin. */
const namePrefix = 'countersign:';

/** Whether the page is in a frame. */
export function isFramed(): boolean {
  return window.parent !== window;
}

/**
 * Tells the site around the frame what happened. The browser delivers it only to the origin in the frame's name, and only a site that
 * the company allows can show the page at all.
 */
export function tellSite(type: EmbedEvent, state?: string): void {
  if (!isFramed() || !window.name.startsWith(namePrefix)) return;
  try {
    window.parent.postMessage({ source: 'countersign', type, state }, window.name.slice(namePrefix.length));
  } catch {
    // The name is no origin: the frame is not of our script.
  }
}

/** Opens what lies outside the signing page in a tab of its own, because it can't be shown in a frame. */
export function setUpFrame(): void {
  if (!isFramed()) return;
  const { address = '', state } = element('page').dataset;
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (link === null || link.getAttribute('href')?.startsWith('#') || link.pathname.startsWith(address)) return;
    link.target = '_blank';
    link.rel = 'noopener';
  });
  tellSite('ready', state);
}
