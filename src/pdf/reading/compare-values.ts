import { AmbiguousError, dictOf, isSameValue, listOf, type Value } from '../strict/read-value.ts';
import type { StrictFile } from '../strict/strict-file.ts';

/** The entries of a dictionary, by key. */
export type Dict = Map<string, Value>;

/** Throws unless two dictionaries have the same entries, apart from `keys`. */
export function assertSameBut(keys: readonly string[], a: Dict, b: Dict): void {
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    if (!keys.includes(key) && !isSameValue(a.get(key), b.get(key))) throw new AmbiguousError(`another ${key}`);
  }
}

/** Returns the elements that a list has gained at its end. Throws when it has changed otherwise. */
export function added(before: readonly Value[], after: readonly Value[]): readonly Value[] {
  if (!before.every((item, index) => isSameValue(item, after[index]))) throw new AmbiguousError('another list');
  return after.slice(before.length);
}

/** Returns the dictionary of a key, and follows a reference. Empty without the key. */
export function dictIn(file: StrictFile, dict: Dict, key: string): Dict {
  const value = file.follow(dict.get(key));
  return value === undefined ? new Map() : dictOf(value);
}

/** Returns the list of a key, and follows a reference. Empty without the key. */
export function listIn(file: StrictFile, dict: Dict, key: string): readonly Value[] {
  const value = file.follow(dict.get(key));
  return value === undefined ? [] : listOf(value);
}

/** Returns the number that a reference leads to, in a list of one. Other values: an empty list. */
export function refsOf(value: Value | undefined): number[] {
  return value !== undefined && 'ref' in value ? [value.ref] : [];
}

/** Returns the number that a reference leads to. Throws for other values. */
export function refOf(value: Value | undefined): number {
  const [number] = refsOf(value);
  if (number === undefined) throw new AmbiguousError('no reference');
  return number;
}

/** Returns the reference of a key if it is the same in both: then what it leads to now is what was compared. */
export function keptRefs(before: Dict, after: Dict, key: string): number[] {
  return isSameValue(before.get(key), after.get(key)) ? refsOf(before.get(key)) : [];
}
