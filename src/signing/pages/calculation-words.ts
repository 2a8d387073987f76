import type { Failure, Result } from '../../documents/calculate.ts';

// The signing page's script imports this file, so it imports nothing that needs Node.js.

/** How a field is calculated, for its page. */
export interface Calculation {
  /** With positions in braces: `{0} * 1.21`. */
  formula: string;
  /** The fields of others that it uses, by position. */
  others: Readonly<Record<number, OtherNumber>>;
  /** With the values that are saved. Null while the field is hidden. */
  result: Result | null;
}

/** A number that someone else gave. `name`: its label, or null. */
export interface OtherNumber {
  value: string | null;
  name: string | null;
}

/** The sentences that say why there is no result. */
export interface CalculationTexts {
  /** Contains `{fields}`. */
  notYet: string;
  /** Contains `{fields}`, which others left empty. */
  leftEmpty: string;
  division: string;
  tooLarge: string;
}

/**
 * Says why there is no result. `nameOf`: the name of the recipient's own field, or null for others' fields. `isHidden`: whether
 * an own field isn't asked for, because its condition doesn't hold.
 */
export function reasonOf(
  failure: Failure,
  { others }: Pick<Calculation, 'others'>,
  nameOf: (position: number) => string | null,
  words: CalculationTexts & { unnamed: string },
  isHidden: (position: number) => boolean = () => false,
): string {
  if (failure.reason === 'division_by_zero') return words.division;
  if (failure.reason === 'too_large') return words.tooLarge;
  const asked = failure.missing.flatMap((position) => (isHidden(position) ? [] : (nameOf(position) ?? [])));
  const nameAt = (position: number) => nameOf(position) ?? others[position]?.name ?? words.unnamed;
  const names = asked.length > 0 ? asked : failure.missing.map(nameAt);
  const sentence = asked.length > 0 ? words.notYet : words.leftEmpty;
  return sentence.replace('{fields}', () => [...new Set(names)].join(', '));
}
