import { createDrawing, type Drawing } from './drawing.ts';
import { element, texts } from './elements.ts';

export interface SignatureTabs {
  isDrawing(): boolean;
  /** Null until the drawing area has loaded. */
  drawing(): Drawing | null;
}

/** The tabs `Type` and `Draw`: arrow keys, Home and End move between them, and moving selects. */
export function setUpSignatureTabs(): SignatureTabs {
  const tabs = [element('type-tab'), element('draw-tab')] as const;
  const [typeTab, drawTab] = tabs;
  let drawing: Drawing | null = null;

  const select = (selected: HTMLElement) => {
    for (const tab of tabs) {
      const isSelected = tab === selected;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      element(tab.getAttribute('aria-controls') ?? '').hidden = !isSelected;
    }
    element('signature-error').textContent = '';
    if (selected === drawTab) void openDrawing();
  };

  const openDrawing = async () => {
    if (drawing) return drawing.resize();
    try {
      drawing ??= await createDrawing();
    } catch {
      element('signature-error').textContent = texts().drawingUnavailable;
    }
  };

  const other = (tab: HTMLElement) => (tab === typeTab ? drawTab : typeTab);
  for (const tab of tabs) {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const target = { ArrowLeft: other(tab), ArrowRight: other(tab), Home: typeTab, End: drawTab }[event.key];
      if (!target) return;
      event.preventDefault();
      select(target);
      target.focus();
    });
  }
  return { isDrawing: () => drawTab.getAttribute('aria-selected') === 'true', drawing: () => drawing };
}
