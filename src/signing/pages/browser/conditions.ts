import { shownFields } from '../../../documents/field-condition.ts';
import type { FieldType } from '../../../documents/field-types.ts';
import { element, fileTexts } from './elements.ts';

/** A place on a page with its condition. */
interface Slot {
  slot: HTMLElement;
  position: number;
  type: FieldType;
  condition_position: number | null;
  condition_value: string | null;
}

/** Shows the fields whose conditions hold and hides the others. Returns the places that were changed. */
export function showByCondition(): Set<Element> {
  const slots = [...document.querySelectorAll<HTMLElement>('.slot[data-position]')].map(slotOf);
  const changed = new Set<Element>();
  if (slots.every(({ condition_position: position }) => position === null)) return changed;
  const shown = shownFields(slots, currentValue);
  for (const one of slots) {
    const isHidden = !shown.has(one);
    if (one.slot.hidden !== isHidden) changed.add(one.slot);
    one.slot.hidden = isHidden;
  }
  return changed;
}

/** Says how many fields have appeared and disappeared, for people who can't see it. */
export function sayWhatChanged(changed: ReadonlySet<Element>): void {
  const hidden = [...changed].filter((slot) => (slot as HTMLElement).hidden).length;
  element('progress').textContent = fileTexts()
    .fieldsChanged.replace('{shown}', String(changed.size - hidden))
    .replace('{hidden}', String(hidden));
}

function slotOf(slot: HTMLElement): Slot {
  const { position, kind, if: condition, ifValue } = slot.dataset;
  return {
    slot,
    position: Number(position),
    type: kind as FieldType,
    condition_position: condition === undefined ? null : Number(condition),
    condition_value: ifValue ?? null,
  };
}

function currentValue({ slot, type }: Slot): string | null {
  if (slot.dataset.value !== undefined) return slot.dataset.value;
  const control = slot.querySelector<HTMLInputElement>('.control');
  if (control === null) return null;
  return type === 'checkbox' || type === 'radio' ? String(control.checked) : control.value;
}
