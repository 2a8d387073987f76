import { calculate, canBeEntered, type Reach, type Result } from '../../../documents/calculate.ts';
import { formatNumber } from '../../../documents/number-value.ts';
import { type OtherNumber, reasonOf } from '../calculation-words.ts';
import { element, fileTexts } from './elements.ts';
import type { Field } from './fields.ts';

/** A calculated field with its place. */
interface Calculated {
  field: Field;
  position: number;
  formula: string;
  decimals: number | null;
  others: Record<number, OtherNumber>;
}

/**
 * Shows the results of calculated fields, from what is entered and from the final numbers of others. The server calculates them
 * again. Returns a function that updates them, and one that says which have changed, for people who can't see it.
 */
export function setUpCalculations(fields: readonly Field[]): { update(): void; announce(): void } {
  const calculated = fields.filter(({ isCalculated }) => isCalculated).map(calculatedOf);
  const others = Object.assign({}, ...calculated.map((one) => one.others)) as Calculated['others'];
  const byPosition = new Map(fields.map((field) => [positionOf(field.control), field]));
  let said = new Map<Calculated, string>();

  const valueAt = (position: number) => {
    const field = byPosition.get(position);
    return field === undefined ? (fixedAt(position) ?? others[position]?.value ?? null) : field.value();
  };
  const shownValues = () => new Map(calculated.map((one) => [one, inputOf(one).value]));
  const update = () => {
    const results = calculate(
      calculated.filter(({ field }) => field.isShown()),
      valueAt,
    );
    for (const one of calculated) {
      const result = results.get(one.position);
      const nameOf = (position: number) => nameAt(byPosition, position);
      const reason =
        result === undefined || result.value !== null ? '' : reasonOf(result, one, nameOf, fileTexts(), isHidden);
      const input = inputOf(one);
      input.value = formatNumber(result?.value ?? '', fileTexts().numbers);
      input.title = reason;
      if (reason === '') input.removeAttribute('aria-invalid');
      input.toggleAttribute('data-of-others', result !== undefined && !isOwnToEnter(one, result));
      for (const place of document.querySelectorAll(`#${input.id}-reason, #${input.id}-rule`))
        place.textContent = reason;
    }
  };
  /** Whether the recipient can still bring about a result. */
  const isOwnToEnter = ({ formula }: Calculated, result: Result) =>
    result.value !== null || canBeEntered(formula, result, (position) => reachOf(byPosition.get(position), position));
  const announce = () => {
    const values = shownValues();
    const changed = calculated.filter((one) => one.field.isShown() && values.get(one) !== said.get(one));
    said = values;
    if (changed.length === 0) return;
    const words = changed.map((one) => `${inputOf(one).dataset.shortName}: ${values.get(one) || inputOf(one).title}`);
    element('progress').textContent = words.join('. ');
  };
  update();
  said = shownValues();
  return { update, announce };
}

function calculatedOf(field: Field): Calculated {
  const { formula = '', others = '{}', decimals } = field.control.dataset;
  return {
    field,
    position: positionOf(field.control),
    formula,
    decimals: decimals === undefined ? null : Number(decimals),
    others: JSON.parse(others) as Calculated['others'],
  };
}

function positionOf(control: HTMLElement): number {
  return Number(control.closest<HTMLElement>('.slot')?.dataset.position);
}

function reachOf(field: Field | undefined, position: number): Reach {
  if (isHidden(position)) return 'hidden';
  if (field === undefined) return 'none';
  const { formula } = field.control.dataset;
  return formula === undefined ? 'entered' : { formula };
}

function isHidden(position: number): boolean {
  return slotAt(position)?.hidden ?? false;
}

function slotAt(position: number): HTMLElement | null {
  return document.querySelector(`.slot[data-position="${position}"]`);
}

function inputOf({ field }: Calculated): HTMLInputElement {
  return field.control as HTMLInputElement;
}

/** Returns the value of the sender, which can't be changed. */
function fixedAt(position: number): string | null {
  const slot = slotAt(position);
  return slot === null || slot.hidden ? null : (slot.dataset.value ?? null);
}

/** Returns the name of a field of the recipient, as its place shows it. */
function nameAt(byPosition: ReadonlyMap<number, Field>, position: number): string | null {
  const control = byPosition.get(position)?.control as HTMLInputElement | undefined;
  return control?.placeholder || (control?.dataset.shortName ?? null);
}
