import type { FieldType } from '../signing-page-view.ts';
import type { Mark } from './mark.ts';

/** A field of the recipient on a page of the file. */
export interface Field {
  id: string;
  type: FieldType;
  isRequired: boolean;
  /** The accessible name, for example `Signature, page 2, required`. */
  name: string;
  control: HTMLElement;
  /** Returns the value as it is sent. Null while the field is empty. */
  value(): string | null;
  /** Sets a value that wasn't saved before a reload. */
  setValue(value: string | null): void;
  isDone(): boolean;
}

export interface Marks {
  signature: Mark;
  /** Null without a field for initials. */
  initials: Mark | null;
}

/** Returns the fields in reading order. */
export function collectFields(marks: Marks): Field[] {
  return [...document.querySelectorAll<HTMLElement>('.control')].map((control) => fieldOf(control, marks));
}

function fieldOf(control: HTMLElement, marks: Marks): Field {
  const { field: id = '', name = '', required } = control.dataset;
  const type = control.dataset.type as FieldType;
  const value = recipient(type, control, marks);
  const isDone = () => (type === 'checkbox' ? value() === 'true' : value() !== null);
  return {
    id,
    type,
    isRequired: required !== undefined,
    name,
    control,
    value,
    isDone,
    setValue: writer(type, control),
  };
}

function recipient(type: FieldType, control: HTMLElement, marks: Marks): () => string | null {
  const input = control as HTMLInputElement;
  switch (type) {
    case 'signature':
    case 'initials':
      // A signature placed before a reload, or on another device, counts once it exists here and the person has seen it.
      return () => ('placed' in control.dataset && canBePlaced(markFor(type, marks)) ? 'true' : null);
    case 'checkbox':
      return () => String(input.checked);
    case 'date':
      return () => input.value || null;
    case 'text':
      return () => input.value.trim() || null;
  }
}

function writer(type: FieldType, control: HTMLElement): (value: string | null) => void {
  const input = control as HTMLInputElement;
  return (value) => {
    if (type === 'signature' || type === 'initials') control.toggleAttribute('data-placed', value === 'true');
    else if (type === 'checkbox') input.checked = value === 'true';
    else input.value = value ?? '';
  };
}

/** Whether a tap places the mark. Initials guessed from the name are shown before they are placed first. */
export function canBePlaced(mark: Mark): boolean {
  return mark.value() !== null && (mark.kind === 'signature' ? mark.textBox.value.trim() !== '' : mark.wasPlaced());
}

export function markFor(type: 'signature' | 'initials', marks: Marks): Mark {
  if (type === 'signature') return marks.signature;
  if (marks.initials === null) throw new Error('the page has no initials to place');
  return marks.initials;
}
