import type { FieldType } from '../signing-page-view.ts';
import type { Mark } from './mark.ts';

/** A field of the reader, wherever in the file it lies. */
export interface Field {
  id: string;
  type: FieldType;
  isRequired: boolean;
  /** `Signature, page 2, required` */
  name: string;
  control: HTMLElement;
  /** As it is sent: null while it is empty. */
  value(): string | null;
  /** The same the other way round, for what was not saved before a reload. */
  setValue(value: string | null): void;
  isDone(): boolean;
}

export interface Marks {
  signature: Mark;
  /** Where there is a field for them. */
  initials: Mark | null;
}

/** In reading order, as they stand in the page. */
export function collectFields(marks: Marks): Field[] {
  return [...document.querySelectorAll<HTMLElement>('.control')].map((control) => fieldOf(control, marks));
}

function fieldOf(control: HTMLElement, marks: Marks): Field {
  const { field: id = '', name = '', required } = control.dataset;
  const type = control.dataset.type as FieldType;
  const value = reader(type, control, marks);
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

function reader(type: FieldType, control: HTMLElement, marks: Marks): () => string | null {
  const input = control as HTMLInputElement;
  switch (type) {
    case 'signature':
    case 'initials':
      // What was placed before a reload, or elsewhere, counts once there is a mark to show in it that the reader has seen.
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

/** Initials are guessed from the name, so the first time they are shown before they are placed. */
export function canBePlaced(mark: Mark): boolean {
  return mark.value() !== null && (mark.kind === 'signature' ? mark.textBox.value.trim() !== '' : mark.wasPlaced());
}

export function markFor(type: 'signature' | 'initials', marks: Marks): Mark {
  if (type === 'signature') return marks.signature;
  if (marks.initials === null) throw new Error('the page has no initials to place');
  return marks.initials;
}
