import type { FieldType } from '../../../documents/field-types.ts';
import { formatNumber, readNumber } from '../../../documents/number-value.ts';
import { readFormatted } from '../../../documents/text-format.ts';
import { isMarkKind, type MarkKind } from '../../../mark-kinds.ts';
import { fileTexts } from './elements.ts';
import type { Mark, WrittenMark } from './mark.ts';

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
  /** Sets a value that wasn't saved before a reload. Null removes a file from its field. */
  setValue(value: string | null): void;
  isDone(): boolean;
  /** Whether the page calculates the value, and nobody enters it. */
  isCalculated: boolean;
  /** Whether its condition holds, or it has none. */
  isShown(): boolean;
  /** The name of a radio button's group. */
  group: string | undefined;
  /** Says what is wrong with the value, or null. */
  problem(): string | null;
}

export interface Marks {
  signature: WrittenMark;
  /** Null without a field for initials. */
  initials: WrittenMark | null;
  /** Null without a field for a stamp. */
  stamp: Mark | null;
}

/** Returns the fields in reading order. */
export function collectFields(marks: Marks): Field[] {
  return [...document.querySelectorAll<HTMLElement>('.control')].map((control) => fieldOf(control, marks));
}

function fieldOf(control: HTMLElement, marks: Marks): Field {
  const { field: id = '', name = '', required, group } = control.dataset;
  const type = control.dataset.type as FieldType;
  const isShown = () => control.closest<HTMLElement>('.slot')?.hidden !== true;
  const read = reader(type, control, marks);
  const value = () => (isShown() ? read() : null);
  const isCalculated = control.dataset.formula !== undefined;
  const buttons = type === 'radio' ? buttonsOf(control as HTMLInputElement) : [];
  const problem = () => {
    if (!isShown()) return null;
    if (type !== 'number') return isRefused(type, control as HTMLInputElement) ? (control.dataset.rule ?? null) : null;
    const isWrong = isCalculated ? required !== undefined && !('ofOthers' in control.dataset) : isTyped(control);
    return value() === null && isWrong ? control.title : null;
  };
  const isDone = () => {
    if (type === 'radio') return buttons.some(({ checked }) => checked);
    return type === 'checkbox' ? value() === 'true' : value() !== null && problem() === null;
  };
  return {
    id,
    type,
    // A group counts once.
    isRequired: required !== undefined && (type !== 'radio' || buttons[0] === control),
    isCalculated,
    isShown,
    group,
    name,
    control,
    value,
    isDone,
    problem,
    setValue: writer(type, control),
  };
}

function reader(type: FieldType, control: HTMLElement, marks: Marks): () => string | null {
  const input = control as HTMLInputElement;
  switch (type) {
    case 'signature':
    case 'initials':
    case 'stamp':
      // A signature placed before a reload, or on another device, counts once it exists here and the person has seen it.
      return () => ('placed' in control.dataset && canBePlaced(markFor(type, marks)) ? 'true' : null);
    case 'upload':
      return () => control.dataset.file ?? null;
    case 'checkbox':
      return () => String(input.checked);
    case 'radio':
      return () => (input.checked ? 'true' : null);
    case 'date':
    case 'dropdown':
      return () => input.value || null;
    case 'number':
      return () => numberIn(input);
    case 'text':
      return () => formatted(input) ?? (input.value.trim() || null);
  }
}

/** Returns the radio buttons of a group, in reading order. */
function buttonsOf({ name }: HTMLInputElement): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>('input.control[type="radio"]')].filter(
    (button) => button.name === name,
  );
}

function isTyped(control: HTMLElement): boolean {
  return (control as HTMLInputElement).value.trim() !== '';
}

/**
 * Whether a date has a year of more digits than the server takes, or a text has too many characters or doesn't match its format.
 * `maxLength` allows each character two units.
 */
function isRefused(type: FieldType, input: HTMLInputElement): boolean {
  if (type === 'date') return input.validity.rangeOverflow;
  const text = input.value.trim();
  if (type !== 'text' || text === '') return false;
  const isFormatted = !('format' in input.dataset) || formatted(input) !== null;
  return !isFormatted || [...text].length > input.maxLength / 2;
}

/** Returns the text in a text box as its format writes it, or null if there is no format or the text doesn't match it. */
function formatted({ value, dataset: { format } }: HTMLInputElement): string | null {
  return format === undefined ? null : readFormatted(format, value);
}

/** Returns the number in a text box as it is sent, or null if it is none or breaks a rule. */
function numberIn({ value, dataset: { min, max, decimals } }: HTMLInputElement): string | null {
  const rules = {
    number_min: min ?? null,
    number_max: max ?? null,
    decimals: decimals === undefined ? null : Number(decimals),
  };
  return readNumber(value, fileTexts().numbers, rules);
}

function writer(type: FieldType, control: HTMLElement): (value: string | null) => void {
  const input = control as HTMLInputElement;
  return (value) => {
    if (type === 'upload') {
      if (value !== null) return; // the page has the file that was kept
      control.dataset.removed = control.dataset.file;
      delete control.dataset.file;
    } else if (isMarkKind(type)) control.toggleAttribute('data-placed', value === 'true');
    else if (type === 'checkbox' || type === 'radio') input.checked = value === 'true';
    else if (type === 'number') input.value = formatNumber(value ?? '', fileTexts().numbers);
    else input.value = value ?? '';
  };
}

/** Whether a tap places the mark. A drawn or uploaded one needs no name. */
export function canBePlaced(mark: Mark): boolean {
  return mark.value() !== null && mark.isChosen();
}

export function markFor(type: MarkKind, marks: Marks): Mark {
  const mark = marks[type];
  if (mark === null) throw new Error(`the page has no ${type} to place`);
  return mark;
}

/** A position and size in percent of the page. */
interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Moves each field to its position. The security policy allows this to the script but not to the markup. */
export function placeSlots(): void {
  for (const sheet of document.querySelectorAll('.sheet')) {
    const slots = [...sheet.querySelectorAll<HTMLElement>('.slot')].map((slot) => ({ slot, place: placeOf(slot) }));
    for (const { slot, place } of slots) {
      for (const side of ['left', 'top', 'width', 'height'] as const) {
        slot.style.setProperty(`--${side}`, `${place[side]}%`);
      }
      slot.style.setProperty('--letters', `${slot.dataset.letters}cqw`);
      const places = slots.map((one) => one.place);
      const { left, right } = roomOf(place, places);
      slot.style.setProperty('--left-limit', `${left}%`);
      slot.style.setProperty('--right-limit', `${right}%`);
      const { before, behind, height } = roomToGrow(place, places);
      slot.style.setProperty('--start-limit', `${before}%`);
      slot.style.setProperty('--end-limit', `${behind}%`);
      slot.style.setProperty('--room-across', `${behind - before}%`);
      slot.style.setProperty('--room-down', `${height}%`);
    }
  }
}

function placeOf(slot: HTMLElement): Place {
  const [left = 0, top = 0, width = 0, height = 0] = (slot.dataset.place ?? '').split(' ').map(Number);
  return { left, top, width, height };
}

/** Returns how far a field can grow to each side before it covers another one in its row. */
function roomOf(place: Place, all: readonly Place[]): { left: number; right: number } {
  const rowMargin = 3;
  const inRow = all.filter(
    (other) =>
      other !== place &&
      other.top < place.top + place.height + rowMargin &&
      place.top < other.top + other.height + rowMargin,
  );
  const before = inRow.filter(({ left }) => left < place.left).map(({ left, width }) => left + width);
  const behind = inRow.filter(({ left }) => left > place.left).map(({ left }) => left);
  return { left: Math.min(place.left, Math.max(0, ...before)), right: Math.min(100, ...behind) };
}

/**
 * Returns where a field that is too small for a fingertip may begin and end, and its largest height. It grows into free
 * space on either side, up and down around its middle, and together with its neighbours. It never covers their drawn areas.
 */
function roomToGrow(place: Place, all: readonly Place[]): { before: number; behind: number; height: number } {
  /** The size of a fingertip on a phone. */
  const reach = 7;
  /** Growth of two neighbours together, in parts of the gap. Edges may touch, but drawn areas may not be covered. */
  const share = 1.25;
  const room = { before: 0, behind: 100, height: 100 };
  for (const other of all) {
    if (other === place) continue;
    const across = Math.max(place.left, other.left) - Math.min(place.left + place.width, other.left + other.width);
    const down = Math.max(place.top, other.top) - Math.min(place.top + place.height, other.top + other.height);
    // A wide neighbour doesn't grow sideways, so the gap is free.
    const free = other.width >= reach ? across : (across * share) / 2;
    if (down >= 0 && across < reach) room.height = Math.min(room.height, place.height + down * share);
    else if (across < 0 || down >= reach) continue;
    else if (other.left < place.left) room.before = Math.max(room.before, place.left - free);
    else room.behind = Math.min(room.behind, place.left + place.width + free);
  }
  return room;
}
