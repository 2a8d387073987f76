import { element } from './elements.ts';
import type { Mark } from './mark.ts';

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

  const place = () => {
    if (mark.askForMissing()) return;
    choose(true);
    dialog.close();
  };
  element(`${mark.kind}-place`).addEventListener('click', place);
  element(`${mark.kind}-close`).addEventListener('click', () => dialog.close());
  remove.addEventListener('click', () => {
    choose(false);
    dialog.close();
  });
  mark.textBox.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !dialog.open) return;
    event.preventDefault();
    place();
  });
  dialog.addEventListener('close', () => {
    if (dialog.open) return; // the dialog was opened again before this event arrived
    if (mark.kind === 'signature') takeBackMaker();
    // Browsers return the focus themselves, except Safari, where a click doesn't focus buttons.
    if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
  });

  return {
    open: (control, chooses) => {
      opener = control;
      choose = chooses;
      remove.hidden = !control.classList.contains('is-done');
      if (mark.kind === 'signature') lendMaker();
      dialog.showModal();
      mark.textBox.focus();
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
