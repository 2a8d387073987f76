import type { SignBody } from '../script-contract.ts';
import { element, texts } from './elements.ts';
import { loadDocument } from './load-document.ts';
import { showLocalTimes } from './page-start.ts';

const betweenMs = 15_000;

/** Returns what the page has shown, for the audit trail: the version of the disclosure, what others signed, and its language. */
export function whatWasShown(): Pick<SignBody, 'disclosure' | 'shown' | 'language'> {
  const { disclosure = '', shown, language } = element('page').dataset;
  return { disclosure, ...(shown ? { shown } : {}), ...(language ? { language } : {}) };
}

/** Looks regularly whether somebody else has signed, and shows it without a reload, so that entries and focus stay. */
export function keepShown(): void {
  if (!('liveShown' in element('page').dataset)) return;
  const timer = setInterval(() => {
    if (document.visibilityState !== 'visible') return;
    if (document.getElementById('sign-form') === null) clearInterval(timer);
    else void update();
  }, betweenMs);
}

async function update(): Promise<void> {
  const page = element('page');
  try {
    const response = await fetch(`${page.dataset.address}/shown`, { cache: 'no-store' });
    if (!response.ok) return; // the document has ended, which signing will say
    const { sha256 } = (await response.json()) as { sha256: string };
    if (sha256 === page.dataset.shown) return;
    const fresh = await loadDocument(page.dataset.address ?? '');
    for (const part of fresh.querySelectorAll('[data-live]')) document.getElementById(part.id)?.replaceWith(part);
    page.dataset.shown = fresh.getElementById('page')?.dataset.shown ?? '';
    showLocalTimes();
    element('progress').textContent = texts().newSignature;
  } catch {
    // No connection: the next look may succeed.
  }
}
