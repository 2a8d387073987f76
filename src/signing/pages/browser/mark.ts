import type { MarkKind, WrittenMarkKind } from '../../../mark-kinds.ts';
import { isBlank } from '../../../platform/plain-line.ts';
import { initialsLengthMax } from '../../text-lengths.ts';
import type { InitialsInput, SignatureInput } from '../script-contract.ts';
import { clearFieldError, element, fileTexts, showFieldError, texts } from './elements.ts';
import { pictureFromPng, pngOf, setUpUpload, type Upload } from './picture.ts';
import { type SignatureTabs, setUpSignatureTabs, type TabKind } from './signature-tabs.ts';
import { recall, remember } from './tab-memory.ts';

/** `saved`: the id of what the person saved earlier. `save`: save it for next time. */
export type MarkValue = (
  | { kind: 'typed'; text: string }
  | { kind: 'drawn' | 'uploaded'; picture: HTMLCanvasElement }
) & { saved?: string; save?: true };

/** What `saved-marks.ts` adds to a mark. */
export interface SavedPart {
  /** What the person saved earlier. Its tab is on the page already. */
  value: MarkValue | null;
  /** Whether what is made now shall be saved for next time. */
  isSaving(): boolean;
  /** Called before the mark's own listeners. */
  changed(): void;
}

/** The signature, the initials or the stamp. There is one of each, shown in every field where it was placed. */
export interface Mark {
  kind: MarkKind;
  /** The input for the full name, the initials or the picture of a stamp. */
  input: HTMLInputElement;
  /** Returns null while something is missing. */
  value(): MarkValue | null;
  /** Shows what is missing and focuses it. Returns false if nothing is missing. */
  askForMissing(): boolean;
  /** Shows why it was refused, and focuses where it is made. */
  showError(words: string): void;
  /** Whether the person made it. The name is filled in and the initials are guessed, so both are shown before they are used. */
  isChosen(): boolean;
  setChosen(): void;
  selected(): TabKind;
  /** Returns a function that takes back what was changed since. */
  keep(): () => void;
}

/** A mark that can be typed and drawn too, on tabs. */
export interface WrittenMark extends Mark {
  kind: WrittenMarkKind;
  /** Adds what the person saved earlier, and selects its tab unless they have begun to make another one. */
  addSaved(part: SavedPart): void;
  select(kind: TabKind): void;
  /** Resolves when the tabs are set up. */
  ready: Promise<void>;
  /** Whether the person has begun to make it, and not only the page. */
  isBegun(): boolean;
}

/** A mark as stored in the tab. Pictures are PNGs in base64. */
interface RememberedMark {
  text: string;
  tab: TabKind;
  drawn: string | null;
  uploaded: string | null;
  isChosen: boolean;
  /** Whether the person has begun to make it, and not only the page. */
  isBegun: boolean;
}

const parts = {
  signature: {
    prefix: '',
    textBox: 'full-name',
    lengthMax: Number.POSITIVE_INFINITY,
    missing: () => texts().nameMissing,
  },
  initials: {
    prefix: 'initials-',
    textBox: 'initials-text',
    lengthMax: initialsLengthMax,
    missing: () => fileTexts().initialsMissing,
  },
} as const;

/** Sets up a mark and restores what was made in this tab. Approvers have no tabs; their mark is the typed name. */
export function setUpMark(kind: WrittenMarkKind, onChange: () => void): WrittenMark {
  const { prefix, lengthMax, missing } = parts[kind];
  const textBox = element<HTMLInputElement>(parts[kind].textBox);
  const remembered = recall<RememberedMark>(kind);
  let isChosen = remembered?.isChosen ?? false;
  let isBegun = remembered?.isBegun ?? false;
  let isTouched = false; // since this page was loaded
  let tabs: SignatureTabs | null = null;
  let upload: Upload | null = null;
  let part: SavedPart | null = null;
  let isAdding = false;
  let last = remembered;

  const text = () => textBox.value.trim();
  const isTypable = () => !isBlank(text()) && [...text()].length <= lengthMax;
  const made = (kind: 'drawn' | 'uploaded', picture: HTMLCanvasElement | null | undefined): MarkValue | null =>
    picture ? { kind, picture } : null;
  const value = (): MarkValue | null => {
    const selected = tabs?.selected() ?? 'type';
    if (selected === 'saved') return part?.value ?? null;
    const found = madeIn(selected);
    return found && part?.isSaving() ? { ...found, save: true } : found;
  };
  const madeIn = (selected: TabKind): MarkValue | null => {
    if (selected === 'draw') return made('drawn', tabs?.drawn());
    if (selected === 'upload') return made('uploaded', upload?.picture());
    return isTypable() ? { kind: 'typed', text: text() } : null;
  };
  const showTyped = () => {
    const preview = document.getElementById(`${prefix}typed-signature`);
    if (preview) preview.textContent = text();
  };
  const isTyped = () => (tabs?.selected() ?? 'type') === 'type';
  const changed = () => {
    if (kind === 'signature' && !isAdding) isChosen = true;
    part?.changed();
    showTyped();
    textBox.required = isTyped();
    if (!isTyped()) clearFieldError(textBox);
    const [drawnPicture, uploaded] = [tabs?.drawn() ?? null, upload?.picture() ?? null];
    const tab = tabs?.selected() ?? 'type';
    if (tab === 'draw' || tab === 'upload') isBegun = isTouched = true;
    const mark: RememberedMark = {
      text: textBox.value,
      tab,
      drawn: drawnPicture && pngOf(drawnPicture),
      uploaded: uploaded && pngOf(uploaded),
      isChosen,
      isBegun,
    };
    last = mark;
    remember(kind, mark);
    onChange();
  };
  const keep = () => {
    const [before, name, tab, made] = [last, textBox.value, tabs?.selected() ?? 'type', value()];
    return () => {
      // While the page waits for a phone it has no value, though nothing was changed.
      if (last === before && value() !== null) return;
      textBox.value = name;
      if (made && 'picture' in made) {
        if (tab === 'draw') tabs?.show(made.picture);
        if (tab === 'upload') upload?.show(made.picture);
      }
      tabs?.select(tab);
      textBox.dispatchEvent(new Event('input')); // initials may follow the name
    };
  };

  textBox.addEventListener('input', ({ isTrusted }) => {
    if (isTrusted) isBegun = isTouched = true;
    clearFieldError(textBox);
    changed();
  });
  const setUpTabs = async () => {
    const [before, uploaded] = await Promise.all([restored(remembered?.drawn), restored(remembered?.uploaded)]);
    upload = setUpUpload(prefix, changed);
    if (uploaded) upload.show(uploaded);
    tabs = setUpSignatureTabs({ prefix, before, onChange: changed });
    if (remembered) tabs.select(remembered.tab);
  };
  if (remembered) textBox.value = remembered.text;
  showTyped();
  const ready = document.getElementById(`${prefix}tabs`) ? setUpTabs() : Promise.resolve();

  const showError = (words: string) => {
    if (isTyped()) return showFieldError(textBox, words);
    const error = element(`${prefix}signature-error`);
    error.textContent = words;
    element(`${prefix}${tabs?.selected() === 'upload' ? 'upload' : 'draw-tab'}`).focus();
    error.scrollIntoView({ block: 'nearest' });
  };
  const askForMissing = () => {
    if (isTyped() && !isTypable()) {
      showFieldError(textBox, missing());
      return true;
    }
    if (value() !== null) return false;
    showError(tabs?.selected() === 'upload' ? texts().uploadMissing : texts().drawingMissing);
    return true;
  };

  return {
    kind,
    input: textBox,
    value,
    askForMissing,
    showError,
    isChosen: () => isChosen,
    setChosen: () => {
      isChosen = true;
      changed();
    },
    addSaved: (added) => {
      part = added;
      isAdding = true; // nobody has chosen it yet
      const wasSelected = remembered?.tab === 'saved' && !isTouched;
      if (added.value && (!isBegun || wasSelected)) tabs?.select('saved');
      else part.changed();
      isAdding = false;
    },
    selected: () => tabs?.selected() ?? 'type',
    keep,
    select: (tab) => tabs?.select(tab),
    ready,
    isBegun: () => isBegun,
  };
}

/** Returns the signature as the API takes it. */
export function signatureInput(value: MarkValue): SignatureInput {
  const input = initialsInput(value);
  if (input.kind !== 'typed') return input;
  const { text: _name, ...typed } = input; // `full_name` has it
  return typed;
}

/** Returns the initials as the API takes them. */
export function initialsInput(value: MarkValue): InitialsInput {
  if (value.saved !== undefined) return { kind: 'saved', id: value.saved };
  const save = value.save ? { save: true as const } : {};
  return value.kind === 'typed'
    ? { kind: 'typed', text: value.text, ...save }
    : { kind: value.kind, png: pngOf(value.picture), ...save };
}

/** Returns a picture that was stored in the tab. Null if there is none, or it can't be read. */
export async function restored(png: string | null | undefined): Promise<HTMLCanvasElement | null> {
  return png ? pictureFromPng(png).catch(() => null) : null;
}
