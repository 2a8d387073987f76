import { element } from './elements.ts';
import { controlOf, type FormRow, problemOf, rowsOf } from './form-rows.ts';
import { recall, remember } from './tab-memory.ts';

/**
 * The view of the fields as a form, loaded by `form-offer.ts`. The fields are moved from the pages into the form and back, with
 * their places, so that entries, conditions, saving and the bar work on the same controls in both views.
 */
const form = element('form-view');
const file = element('file');
const homes = [...document.querySelectorAll<HTMLElement>('.sheet .slot')].map((slot) => ({
  slot,
  sheet: slot.parentElement as HTMLElement,
}));
const rows = rowsOf(element('form-rows'));
const toForm = returnButton();
/** The button that left the form, which gets the focus back. */
let leftBy: HTMLElement = element('form-view-heading');

await stylesheet();
new MutationObserver(updateRows).observe(element('form-rows'), {
  subtree: true,
  attributeFilter: ['hidden', 'aria-invalid'],
});
showOthers();
new MutationObserver(showOthers).observe(element('sheets'), { childList: true });
element('form-open').addEventListener('click', () => open());
toForm.addEventListener('click', () => open());
for (const button of form.querySelectorAll<HTMLElement>('.form-read')) {
  button.addEventListener('click', () => leave(button, null));
}
for (const row of rows) row.show.addEventListener('click', () => leave(row.show, row));
form.addEventListener('keydown', continueWithEnter);

// This runs after the first click on the offer, or after a reload, which leaves the focus where the browser puts it.
if ('chosen' in form.dataset) open();
else if (recall('view') === 'form') show();
else toForm.hidden = false;

function stylesheet(): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = form.dataset.stylesheet ?? '';
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve()); // the form is plain, but it works
    document.head.append(link);
  });
}

/** Makes the button that leads back to the form. It is next to the file's name, which stays on the screen. */
function returnButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.id = 'form-return';
  button.className = 'button button-small';
  button.textContent = form.dataset.back ?? '';
  button.hidden = true;
  element('file-tools').append(button);
  return button;
}

function show(): void {
  for (const { element: row, parts } of rows) {
    for (const { slot, target } of parts) target.append(slot);
    for (const marked of row.querySelectorAll('.is-next')) marked.classList.remove('is-next');
  }
  setEnterKeys('next');
  updateRows();
  file.hidden = true;
  element('form-offer').hidden = true;
  form.hidden = false;
}

function open(): void {
  show();
  remember('view', 'form');
  leftBy.focus({ preventScroll: true });
  leftBy.scrollIntoView({ block: leftBy.id === 'form-view-heading' ? 'start' : 'center', behavior: 'instant' });
}

/** Shows the pages, at a field or at the beginning. The fields are on them again. */
function leave(button: HTMLElement, row: FormRow | null): void {
  leftBy = button;
  for (const { slot, sheet } of homes) sheet.append(slot);
  setEnterKeys('done');
  form.hidden = true;
  file.hidden = false;
  element('form-offer').hidden = false;
  toForm.hidden = false;
  remember('view', 'pages');
  const slot = row?.parts.find((part) => !part.slot.hidden)?.slot;
  // Not the field itself: that would open the keyboard of a phone over the page.
  const heading = slot?.closest('.sheet')?.querySelector<HTMLElement>('h3') ?? element('file-heading');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (slot) (controlOf(slot) ?? slot).classList.add('is-next');
  (slot ?? file).scrollIntoView({ block: slot ? 'center' : 'start', inline: 'center', behavior: 'instant' });
}

/** Says on the key of a phone what Enter does. */
function setEnterKeys(hint: 'next' | 'done'): void {
  for (const { slot } of homes) {
    const control = controlOf(slot);
    if (control?.type === 'text') control.enterKeyHint = hint;
  }
}

/** Moves the focus to the next field, and from the last one to the bar. */
function continueWithEnter(event: KeyboardEvent): void {
  const from = event.target as HTMLInputElement;
  if (event.key !== 'Enter' || event.isComposing || from.type !== 'text') return;
  event.preventDefault();
  const all = [...form.querySelectorAll<HTMLElement>('.control')].filter((one) => one.getClientRects().length > 0);
  const start = element('start');
  (all[all.indexOf(from) + 1] ?? (start.hidden ? element('sign') : start)).focus();
}

/** Hides rows whose field is hidden, and says at each field what is wrong with it. */
function updateRows(): void {
  for (const { element: row, parts, error } of rows) {
    for (const { slot, target } of parts) {
      if (parts.length > 1) toggle(target.parentElement as HTMLElement, slot.hidden);
    }
    toggle(
      row,
      parts.every(({ slot }) => slot.hidden),
    );
    const wrong = parts
      .map(({ slot }) => controlOf(slot))
      .find((control) => control?.getAttribute('aria-invalid') === 'true');
    const words = wrong ? problemOf(wrong) : '';
    if (error.textContent !== words) error.textContent = words;
  }
}

/** Sets `hidden` only if it changes, because the observer sees each time that it is set. */
function toggle(part: HTMLElement, isHidden: boolean): void {
  if (part.hidden !== isHidden) part.hidden = isHidden;
}

/** Shows what others have filled in on the pages, which the signature confirms to have shown. */
function showOthers(): void {
  const lists = [...document.querySelectorAll<HTMLElement>('#sheets .shown-list')].flatMap((list) => {
    const page = list.parentElement?.previousElementSibling?.querySelector('h3')?.textContent ?? '';
    const heading = document.createElement('h3');
    heading.textContent = page;
    return [heading, list.cloneNode(true)];
  });
  element('form-others-list').replaceChildren(...lists);
  element('form-others').hidden = lists.length === 0;
}
