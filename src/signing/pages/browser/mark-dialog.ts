import { element } from './elements.ts';
import type { Mark } from './mark.ts';

export interface MarkDialog {
  /** Tells whether the field is to hold the mark; neither when the dialog is closed. The focus returns to `control`. */
  open(control: HTMLElement, choose: (isPlaced: boolean) => void): void;
}

/** Where the mark is made for a field, changed, or taken out of it. */
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
    if (dialog.open) return; // The event is late: the dialog was opened again before it arrived.
    if (mark.kind === 'signature') takeBackMaker();
    // The browser returns the focus itself, except where a click does not focus buttons (Safari).
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

/** The one maker of the signature stands beside the file, and comes here while it is asked for. Its place stays open. */
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
