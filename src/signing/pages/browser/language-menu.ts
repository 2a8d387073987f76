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
      keepEntered(refused?.());
      await Promise.race([save?.(), new Promise((resolve) => setTimeout(resolve, saveMsMax))]);
      location.replace(link.href); // `Finish` replaces only the last entry of the history
    });
  }
}

function find<T extends HTMLElement>(id: string): T | null {
  return document.getElementById(id) as T | null;
}

/** Keeps what was entered for the next page. The page for a code also keeps what was entered before it. */
export function keepEntered(refused: Record<string, string> = {}): void {
  const before = hasDocument() ? null : recall<Entered>('entered');
  const boxes = ['reason', 'code'].map((id) => [id, find<HTMLInputElement>(id)?.value ?? '']);
  const entered: Entered = {
    isConsentTicked: find<HTMLInputElement>('consent')?.checked === true,
    isDeclining: find('decline-part')?.hidden === false,
    refused,
    ...before,
    texts: { ...before?.texts, ...Object.fromEntries(boxes.filter(([, text]) => text !== '')) },
  };
  remember('entered', entered);
}

/** Whether the page can be signed or declined, and isn't the one for a code. */
function hasDocument(): boolean {
  return find('reason') !== null;
}

function restore(): void {
  const kept = recall<Entered>('entered');
  if (kept === null) return;
  for (const [id, text] of Object.entries(kept.texts)) {
    const box = find<HTMLInputElement>(id);
    if (box) box.value = text;
  }
  // The page for a code leaves the rest to the document. The code itself is for that page alone.
  const { code: _code, ...texts } = kept.texts;
  remember('entered', hasDocument() ? null : { ...kept, texts });
  if (!hasDocument()) return;
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
