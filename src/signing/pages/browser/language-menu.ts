import { element, fileTexts } from './elements.ts';
import { recall, remember } from './tab-memory.ts';

/** What the page does before it is left for another language. */
export interface Leaving {
  /** Saves the fields. Values that can't be saved stay in the tab. */
  save(): Promise<unknown>;
  /** Returns the texts of number fields that are no numbers, by the id of the control. */
  refused(): Record<string, string>;
}

/** What neither the server nor the signature's memory keeps. */
interface Entered {
  /** By the id of the text box. */
  texts: Record<string, string>;
  isConsentTicked: boolean;
  isDeclining: boolean;
  refused: Record<string, string>;
}

const saveMsMax = 3_000;

/** Sets up the menu of languages: what was entered is kept while the page loads in another language. */
export function setUpLanguageMenu({ save, refused }: Partial<Leaving> = {}): void {
  restore();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#languages a')) {
    link.addEventListener('click', async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      remember('entered', entered(refused?.() ?? {}));
      await Promise.race([save?.(), new Promise((resolve) => setTimeout(resolve, saveMsMax))]);
      location.assign(link.href);
    });
  }
}

function find<T extends HTMLElement>(id: string): T | null {
  return document.getElementById(id) as T | null;
}

function entered(refused: Record<string, string>): Entered {
  const boxes = ['reason', 'code'].map((id) => [id, find<HTMLInputElement>(id)?.value ?? '']);
  return {
    texts: Object.fromEntries(boxes.filter(([, text]) => text !== '')),
    isConsentTicked: find<HTMLInputElement>('consent')?.checked === true,
    isDeclining: find('decline-part')?.hidden === false,
    refused,
  };
}

function restore(): void {
  const kept = recall<Entered>('entered');
  if (kept === null) return;
  remember('entered', null);
  for (const [id, text] of Object.entries(kept.texts)) {
    const box = find<HTMLInputElement>(id);
    if (box) box.value = text;
  }
  const consent = find<HTMLInputElement>('consent');
  if (kept.isConsentTicked && consent) {
    consent.checked = true;
    consent.dispatchEvent(new Event('change'));
  }
  if (kept.isDeclining) find('decline')?.click();
  showRefused(kept.refused);
}

/** Says which texts were no numbers. The boxes stay empty: in this language the same text may be another number. */
function showRefused(refused: Record<string, string>): void {
  const problems = Object.entries(refused).map(([id, text]) => {
    const control = find<HTMLInputElement>(id);
    control?.setAttribute('aria-invalid', 'true');
    const typed = fileTexts().typed.replace('{value}', () => text);
    return `${control?.dataset.shortName}: ${control?.title} ${typed}`;
  });
  if (problems.length > 0) element('sign-problem').textContent = problems.join(' ');
}
