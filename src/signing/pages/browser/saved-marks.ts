import type { SavedAnswer, SavedMarkAnswer, SavedTexts } from '../script-contract.ts';
import { element } from './elements.ts';
import type { MarkValue, WrittenMark } from './mark.ts';
import { copyOf, pictureFromPng } from './picture.ts';

/**
 * Offers what the person has saved, as the first tab of a mark, and a box to save what is made now. `saved-offer.ts` loads it on the
 * pages of recipients who may save.
 */
export async function addSavedMarks(marks: readonly WrittenMark[], texts: SavedTexts): Promise<void> {
  const response = await fetch(`${element('page').dataset.address}/saved`, { cache: 'no-store' });
  if (!response.ok) return;
  const saved = (await response.json()) as SavedAnswer;
  for (const mark of marks) {
    await mark.ready;
    await addSaved(mark, saved[mark.kind], texts);
  }
}

async function addSaved(mark: WrittenMark, saved: SavedMarkAnswer | null, texts: SavedTexts): Promise<void> {
  const prefix = mark.kind === 'signature' ? '' : 'initials-';
  const list = document.getElementById(`${prefix}tabs`);
  if (list === null) return;
  const value = saved && (await markValue(saved).catch(() => null));
  const box = saveBox(mark, value !== null, texts);
  list.parentElement?.append(box);
  if (value) addTab(mark, prefix, list, value, texts);
  const input = box.querySelector('input') as HTMLInputElement;
  mark.addSaved({
    value,
    isSaving: () => input.checked,
    changed: () => {
      const isSaved = mark.selected() === 'saved';
      box.hidden = isSaved || mark.value() === null;
      // The name is what is signed with, so the box above the tabs has it too.
      if (isSaved && value?.kind === 'typed') mark.input.value = value.text;
    },
  });
}

async function markValue(saved: SavedMarkAnswer): Promise<MarkValue> {
  return saved.kind === 'typed'
    ? { kind: 'typed', text: saved.text, saved: saved.id }
    : { kind: saved.kind, picture: await pictureFromPng(saved.png), saved: saved.id };
}

function addTab(mark: WrittenMark, prefix: string, list: HTMLElement, value: MarkValue, texts: SavedTexts): void {
  const tab = make('button', { id: `${prefix}saved-tab`, role: 'tab', type: 'button' });
  tab.dataset.kind = 'saved';
  tab.setAttribute('aria-controls', `${prefix}saved-panel`);
  tab.setAttribute('aria-selected', 'false');
  tab.tabIndex = -1;
  tab.textContent = texts.tab;
  const panel = make('div', { id: `${prefix}saved-panel`, role: 'tabpanel' });
  panel.setAttribute('aria-labelledby', tab.id);
  panel.tabIndex = 0;
  panel.hidden = true;
  const words = make('p', { className: 'saved-words' });
  words.textContent = texts[mark.kind];
  const surface = make('div', { className: value.kind === 'typed' ? 'surface' : 'surface uploaded' });
  surface.append(shown(value));
  const hint = make('p', { className: 'hint' });
  hint.textContent = texts.hint;
  panel.append(words, surface, hint);
  list.prepend(tab);
  list.after(panel);
  // Another name than the saved one is a signature of its own. This listener runs before that of the mark.
  const typed = (event: Event) => {
    if (event.isTrusted && value.kind === 'typed' && mark.selected() === 'saved') mark.select('type');
  };
  mark.input.addEventListener('input', typed, { capture: true });
}

function shown(value: MarkValue): HTMLElement {
  if (value.kind !== 'typed') return copyOf(value.picture);
  const text = make('p', { className: 'typed-signature' });
  text.dir = 'auto';
  text.textContent = value.text;
  return text;
}

function saveBox(mark: WrittenMark, isReplacing: boolean, texts: SavedTexts): HTMLElement {
  const id = `save-${mark.kind}`;
  const box = make('div', { className: 'field tick save-mark' });
  const input = make('input', { id, type: 'checkbox', autocomplete: 'off' });
  input.setAttribute('aria-describedby', `${id}-hint`);
  const label = make('label', { htmlFor: id });
  label.textContent = texts.save;
  const hint = make('p', { id: `${id}-hint`, className: 'hint' });
  hint.textContent = isReplacing ? `${texts.replaces} ${texts.saveHint}` : texts.saveHint;
  box.append(input, label, hint);
  return box;
}

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties: object): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
