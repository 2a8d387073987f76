import type { DrawTab } from './draw-tab.ts';
import { element, texts } from './elements.ts';
import { loadScript } from './load-script.ts';

/** `saved`: added by `saved-marks.ts`. */
export type TabKind = 'saved' | 'type' | 'draw' | 'upload';

export interface SignatureTabs {
  selected(): TabKind;
  select(kind: TabKind): void;
  /** Returns the drawing. Null until the drawing area has loaded, and while it is empty. */
  drawn(): HTMLCanvasElement | null;
  /** Replaces the drawing. */
  show(picture: HTMLCanvasElement): void;
}

export interface SignatureTabsOptions {
  /** Prefix of each id. */
  prefix: string;
  /** The earlier drawing. */
  before?: HTMLCanvasElement | null;
  onChange?(): void;
}

/** Sets up the tabs `Type`, `Draw` and, with a file, `Upload`. Arrow keys, Home and End select a tab. */
export function setUpSignatureTabs({ prefix, before = null, onChange }: SignatureTabsOptions): SignatureTabs {
  const list = element(`${prefix}tabs`);
  const all = () => [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  const error = element(`${prefix}signature-error`);
  let drawing: DrawTab | null = null;
  let isOpening = false;

  const select = (selected: HTMLElement) => {
    for (const tab of all()) {
      const isSelected = tab === selected;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      element(tab.getAttribute('aria-controls') ?? '').hidden = !isSelected;
    }
    error.textContent = '';
    if (selected.dataset.kind === 'draw') openDrawing();
    onChange?.();
  };

  const openDrawing = () => {
    if (drawing) return drawing.resize();
    if (isOpening) return;
    isOpening = true;
    loadScript<typeof import('./draw-tab.ts')>(element('page').dataset.drawTab ?? '')
      .then(({ createDrawTab }) => createDrawTab({ prefix, before, onChange: () => onChange?.() }))
      .then((created) => {
        drawing = created;
      })
      .catch(() => {
        error.textContent = texts().drawingUnavailable;
        isOpening = false; // opening the tab again retries
      });
  };

  const tabOf = ({ target }: Event) => (target as Element).closest<HTMLElement>('[role="tab"]');
  list.addEventListener('click', (event) => {
    const tab = tabOf(event);
    if (tab) select(tab);
  });
  list.addEventListener('keydown', (event) => {
    const tab = tabOf(event);
    if (!tab) return;
    const tabs = all();
    const index = tabs.indexOf(tab);
    const target = {
      ArrowLeft: tabs.at(index - 1),
      ArrowRight: tabs[(index + 1) % tabs.length],
      Home: tabs[0],
      End: tabs.at(-1),
    }[event.key];
    if (!target) return;
    event.preventDefault();
    select(target);
    target.focus();
  });
  return {
    selected: () =>
      (all().find((tab) => tab.getAttribute('aria-selected') === 'true')?.dataset.kind ?? 'type') as TabKind,
    select: (kind) => {
      const tab = all().find(({ dataset }) => dataset.kind === kind);
      if (tab) select(tab);
    },
    drawn: () => (drawing ? drawing.picture() : before),
    show: (picture) => drawing?.show(picture),
  };
}
