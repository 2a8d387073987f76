import { isMarkKind, type MarkKind } from '../../../mark-kinds.ts';
import { element, fileTexts } from './elements.ts';
import { canBePlaced, type Field, type Marks, markFor } from './fields.ts';
import type { Mark, MarkValue } from './mark.ts';
import { copyOf } from './picture.ts';

/**
 * Sets up the fields for a signature, initials or a stamp. A tap places an existing mark. Without one, or on a filled field, it
 * opens the dialog. Returns a function that updates the fields after the mark has changed.
 */
export function setUpMarkFields(fields: readonly Field[], marks: Marks, onChange: (field: Field) => void): () => void {
  const dialogs = new Map<Mark, MarkDialog>();
  const markFields = fields.filter(({ type }) => isMarkKind(type));
  const markOf = ({ type }: Field) => markFor(type as MarkKind, marks);

  for (const field of markFields) {
    const mark = markOf(field);
    const setPlaced = (isPlaced: boolean) => {
      field.setValue(String(isPlaced));
      if (isPlaced) mark.setChosen();
      show(field, mark.value());
      onChange(field);
    };
    field.control.addEventListener('click', () => {
      if (!field.isDone() && canBePlaced(mark)) return setPlaced(true);
      const dialog = dialogs.get(mark) ?? setUpMarkDialog(mark);
      dialogs.set(mark, dialog);
      dialog.open(field.control, setPlaced);
    });
  }
  return () => {
    for (const field of markFields) show(field, markOf(field).value());
  };
}

function show({ control, name, isDone }: Field, value: MarkValue | null): void {
  const isShown = value !== null && isDone();
  control.classList.toggle('is-done', isShown);
  control.setAttribute('aria-label', isShown ? placedName(name, value) : name);
  control.replaceChildren(isShown ? pictureOf(value) : (control.dataset.caption ?? ''));
  const words = isShown && value.kind === 'typed' ? value.text : (control.dataset.caption ?? '');
  control.style.setProperty('--letters-across', String(widthInLetters(words)));
}

/** Returns the accessible name, which contains the text that is seen, so that people can speak it. */
function placedName(name: string, value: MarkValue): string {
  const { placed } = fileTexts();
  return value.kind === 'typed' ? `${name}, ${placed}: ${value.text}` : `${name}, ${placed}`;
}

function pictureOf(value: MarkValue): HTMLElement {
  return value.kind === 'typed' ? handwriting(value.text) : copyOf(value.picture);
}

function handwriting(text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = 'handwriting';
  span.dir = 'auto';
  span.textContent = text;
  return span;
}

/** Estimates the width in small Latin letters, so that the text can be fitted without measuring. */
function widthInLetters(text: string): number {
  const widthOf = (letter: string) => {
    if (/[\u2e80-\uffff\u{10000}-\u{10ffff}]/u.test(letter)) return 2.4;
    return letter === letter.toLocaleLowerCase() ? 1 : 1.7;
  };
  return Math.max(
    3,
    [...text].reduce((sum, letter) => sum + widthOf(letter), 0),
  );
}

export interface MarkDialog {
  /** Opens the dialog. Calls `choose` unless it is closed without a choice. Then returns the focus to `control`. */
  open(control: HTMLElement, choose: (isPlaced: boolean) => void): void;
}

/** Sets up the dialog for making a signature for a field, changing it, or removing it from the field. */
export function setUpMarkDialog(mark: Mark): MarkDialog {
  const dialog = element<HTMLDialogElement>(`${mark.kind}-dialog`);
  const remove = element(`${mark.kind}-remove`);
  let opener: HTMLElement | null = null;
  let choose: (isPlaced: boolean) => void = () => {};
  /** Takes back what was changed since the dialog was opened. */
  let undo: (() => void) | null = null;

  const takeBack = () => {
    undo?.();
    undo = null;
  };
  const place = () => {
    if (mark.askForMissing()) return;
    choose(true);
    undo = null;
    dialog.close();
  };
  element(`${mark.kind}-place`).addEventListener('click', place);
  element(`${mark.kind}-close`).addEventListener('click', () => dialog.close());
  remove.addEventListener('click', () => {
    choose(false);
    dialog.close();
  });
  mark.input.addEventListener('keydown', (event) => {
    // In an input for a file, Enter opens the choice of a file.
    if (mark.input.type === 'file' || event.key !== 'Enter' || event.isComposing || !dialog.open) return;
    event.preventDefault();
    place();
  });
  dialog.addEventListener('close', () => {
    if (dialog.open) return; // the dialog was opened again before this event arrived
    takeBack();
    if (mark.kind === 'signature') takeBackMaker();
    // Browsers return the focus themselves, except Safari, where a click doesn't focus buttons.
    if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
  });

  return {
    open: (control, chooses) => {
      opener = control;
      choose = chooses;
      takeBack();
      // A mark that no field shows keeps what was typed, for the next time the dialog is opened.
      const isPlaced = document.querySelector(`.control.is-done[data-type="${mark.kind}"]`) !== null;
      undo = isPlaced ? mark.keep() : null;
      remove.hidden = !control.classList.contains('is-done');
      if (mark.kind === 'signature') lendMaker();
      dialog.showModal();
      if (mark.selected() === 'saved') return element(`${mark.kind}-place`).focus();
      mark.input.focus();
      mark.input.select(); // typing replaces the name that was filled in
    },
  };
}

/** Moves the only form for the signature, which is next to the file, into this dialog while it is open. */
function lendMaker(): void {
  const home = element('maker-home');
  home.style.minHeight = `${home.offsetHeight}px`;
  element('maker-guest').append(element('maker'));
}

function takeBackMaker(): void {
  const home = element('maker-home');
  home.append(element('maker'));
  home.style.minHeight = '';
}
