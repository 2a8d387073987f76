import { element, texts } from './elements.ts';
import { loadScript } from './load-script.ts';
import { recall, remember } from './tab-memory.ts';

/** Sets up the offer to fill in the fields as a form. Its script is loaded when it is chosen, or was before a reload. */
export function setUpFormOffer(): void {
  const open = document.getElementById('form-open');
  if (open === null) return;
  const load = async () => {
    try {
      await loadScript(element('form-view').dataset.script ?? '');
    } catch {
      element('sign-problem').textContent = texts().connectionFailed; // choosing it again retries
    }
  };
  open.addEventListener('click', () => {
    remember('view', 'form');
    element('form-view').dataset.chosen = '';
    void load();
  });
  if (recall('view') !== null) void load();
}
