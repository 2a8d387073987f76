import { Html } from '../../http/html.ts';

const paths = {
  check: '<path d="m4.5 10.5 3.6 3.6 7.4-8.2"/>',
  cross: '<path d="m5.5 5.5 9 9m0-9-9 9"/>',
  envelope: '<path d="M3 5.5h14v9H3zM3 6l7 5.2L17 6"/>',
  eye: '<path d="M2.5 10s2.7-4.7 7.5-4.7 7.5 4.7 7.5 4.7-2.7 4.7-7.5 4.7S2.5 10 2.5 10Z"/><circle cx="10" cy="10" r="2.1"/>',
  clock: '<circle cx="10" cy="10" r="7.2"/><path d="M10 5.8V10l2.8 1.9"/>',
  lock: '<path d="M4.8 9h10.4v7.5H4.8zM7 9V6.4a3 3 0 0 1 6 0V9"/>',
  down: '<path d="M10 4v11.5m-4.6-4.6 4.6 4.6 4.6-4.6"/>',
  minus: '<path d="M4.5 10h11"/>',
  plus: '<path d="M4.5 10h11M10 4.5v11"/>',
  device: '<path d="M6 2.8h8v14.4H6zM9 14.6h2"/>',
  copy: '<path d="M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z"/>',
} as const;

export type IconName = keyof typeof paths;

/** Renders an icon. It is hidden from screen readers, because a word next to it says the same. */
export function icon(name: IconName): Html {
  return new Html(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${paths[name]}</svg>`);
}
