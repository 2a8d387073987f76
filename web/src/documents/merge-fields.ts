import { keyed, newKey, type Placed } from './placing.ts';
import type { FieldView } from './types.ts';

interface Merged {
  fields: Placed[];
  /** The fields that were loaded, to merge with what is loaded next. */
  loaded: Placed[];
  /** How many fields the other person added and removed. A field that was moved or changed counts as both. */
  added: number;
  removed: number;
}

/**
 * Adds the changes that someone else saved (`latest`) to fields that are being placed and began as `loaded`. A field that both
 * changed is there twice, because fields have no lasting id: those with the same content are taken as the same one. `latest` may
 * also be what was placed here, when the answer to saving it was lost.
 */
export function mergeFields(
  placed: readonly Placed[],
  loaded: readonly Placed[],
  latest: readonly FieldView[],
): Merged {
  const known = [...placed, ...loaded];
  const keys = new Map(known.map(({ key, ...field }) => [contentOf(field), key]));
  const theirs = keyed(
    latest,
    latest.map((field) => takeFrom(keys, contentOf(field)) ?? newKey()),
  );
  const byKey = new Map(theirs.map((field) => [field.key, field]));
  const added = theirs.filter(({ key }) => known.every((field) => field.key !== key));
  // Changing a field replaces it, so one that is still in the list is unchanged.
  const kept = placed.flatMap((field) => (loaded.includes(field) ? (byKey.get(field.key) ?? []) : [field]));
  return { fields: [...kept, ...added], loaded: theirs, added: added.length, removed: placed.length - kept.length };
}

function takeFrom(keys: Map<string, string>, content: string): string | undefined {
  const key = keys.get(content);
  keys.delete(content);
  return key;
}

/** A field without what refers to others, whatever the order of its properties is. */
function contentOf(field: Omit<Placed, 'key'> | FieldView): string {
  return JSON.stringify(Object.entries({ ...field, shown_if: null, formula: null }).sort());
}
