/** Outline icons on a grid of 24. */
const outlines = {
  documents: 'M7 3h7l5 5v13H7zM14 3v5h5M10 13h6M10 17h6',
  templates: 'M8 3h8l4 4v10H8zM16 3v4h4M4 7v14h11',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  imports: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  search: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0M16 16l5 5',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  back: 'M15 5l-7 7 7 7',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17h.01',
} as const;

export type IconName = keyof typeof outlines;

/** An icon next to a text or inside a labelled element. Hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={outlines[name]} strokeWidth={name === 'more' ? 3 : undefined} />
    </svg>
  );
}
