import type { InitialsInput, SignatureInput } from '../script-contract.ts';
import { clearFieldError, element, fileTexts, showFieldError, texts } from './elements.ts';
import { pictureFromPng, pngOf, setUpUpload, type Upload } from './picture.ts';
import { type SignatureTabs, setUpSignatureTabs, type TabKind } from './signature-tabs.ts';
import { recall, remember } from './tab-memory.ts';

export type MarkKind = 'signature' | 'initials';

export type MarkValue = { kind: 'typed'; text: string } | { kind: 'drawn' | 'uploaded'; picture: HTMLCanvasElement };

/** The signature or the initials. There is one of each, shown in every field where it was placed. */
export interface Mark {
  kind: MarkKind;
  /** The input for the full name or the initials. */
  textBox: HTMLInputElement;
  /** Returns null while something is missing. */
  value(): MarkValue | null;
  /** Shows what is missing and focuses it. Returns false if nothing is missing. */
  askForMissing(): boolean;
  /** Whether the person made it. The name is filled in and the initials are guessed, so both are shown before they are used. */
  isChosen(): boolean;
  setChosen(): void;
}

/** A mark as stored in the tab. Pictures are PNGs in base64. */
interface RememberedMark {
  text: string;
  tab: TabKind;
  drawn: string | null;
  uploaded: string | null;
  isChosen: boolean;
}

const parts = {
  signature: { prefix: '', textBox: 'full-name', missing: () => texts().nameMissing },
  initials: { prefix: 'initials-', textBox: 'initials-text', missing: () => fileTexts().initialsMissing },
} as const;

/** Sets up a mark and restores what was made in this tab. Approvers have no tabs; their mark is the typed name. */
export function setUpMark(kind: MarkKind, onChange: () => void): Mark {
  const { prefix, missing } = parts[kind];
  const textBox = element<HTMLInputElement>(parts[kind].textBox);
  const remembered = recall<RememberedMark>(kind);
  let isChosen = remembered?.isChosen ?? false;
  let tabs: SignatureTabs | null = null;
  let upload: Upload | null = null;

  const text = () => textBox.value.trim();
  const made = (kind: 'drawn' | 'uploaded', picture: HTMLCanvasElement | null | undefined): MarkValue | null =>
    picture ? { kind, picture } : null;
  const value = (): MarkValue | null => {
    const selected = tabs?.selected() ?? 'type';
    if (selected === 'draw') return made('drawn', tabs?.drawn());
    if (selected === 'upload') return made('uploaded', upload?.picture());
    return text() === '' ? null : { kind: 'typed', text: text() };
  };
  const showTyped = () => {
    const preview = document.getElementById(`${prefix}typed-signature`);
    if (preview) preview.textContent = text();
  };
  const isTyped = () => (tabs?.selected() ?? 'type') === 'type';
  const changed = () => {
    if (kind === 'signature') isChosen = true;
    showTyped();
    textBox.required = isTyped();
    if (!isTyped()) clearFieldError(textBox);
    const [drawnPicture, uploaded] = [tabs?.drawn() ?? null, upload?.picture() ?? null];
    const mark: RememberedMark = {
      text: textBox.value,
      tab: tabs?.selected() ?? 'type',
      drawn: drawnPicture && pngOf(drawnPicture),
      uploaded: uploaded && pngOf(uploaded),
      isChosen,
    };
    remember(kind, mark);
    onChange();
  };

  textBox.addEventListener('input', () => {
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
  if (document.getElementById(`${prefix}tabs`)) void setUpTabs();

  const askForMissing = () => {
    if (isTyped() && text() === '') {
      showFieldError(textBox, missing());
      return true;
    }
    if (value() !== null) return false;
    const isUpload = tabs?.selected() === 'upload';
    element(`${prefix}signature-error`).textContent = isUpload ? texts().uploadMissing : texts().drawingMissing;
    element(isUpload ? `${prefix}upload` : `${prefix}draw-tab`).focus();
    return true;
  };

  return {
    kind,
    textBox,
    value,
    askForMissing,
    isChosen: () => isChosen,
    setChosen: () => {
      isChosen = true;
      changed();
    },
  };
}

/** Returns the signature as the API takes it. */
export function signatureInput(value: MarkValue): SignatureInput {
  return value.kind === 'typed' ? { kind: 'typed' } : { kind: value.kind, png: pngOf(value.picture) };
}

/** Returns the initials as the API takes them. */
export function initialsInput(value: MarkValue): InitialsInput {
  return value.kind === 'typed' ? value : { kind: 'drawn', png: pngOf(value.picture) };
}

async function restored(png: string | null | undefined): Promise<HTMLCanvasElement | null> {
  return png ? pictureFromPng(png).catch(() => null) : null;
}
