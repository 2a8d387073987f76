import { readFormatted } from '../../../src/documents/text-format.ts';
import { plainFormula } from './formula-text.ts';
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
 * changed is there twice, because fields have no lasting id: those with the same content are taken as the same one, and their
 * formulas and conditions are merged. `latest` may also be what was placed here, when the answer to saving it was lost.
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
  const added = theirs.filter(({ key }) => known.every((field) => field.key !== key));
  const kept = placed.flatMap((field) => {
    const before = loaded.find(({ key }) => key === field.key);
    const now = theirs.find(({ key }) => key === field.key);
    if (before !== undefined && isSame(field, before)) return now ?? [];
    if (before === undefined || now === undefined) return field;
    const merged = mergeReferences(field, before, now);
    if (merged !== null) return merged;
    added.push({ ...now, key: newKey() });
    return field;
  });
  return { fields: [...kept, ...added], loaded: theirs, added: added.length, removed: placed.length - kept.length };
}

function takeFrom(keys: Map<string, string>, content: string): string | undefined {
  const key = keys.get(content);
  keys.delete(content);
  return key;
}

/** A field without what refers to others, whatever the order of its properties is. A format and its value count as the server writes them. */
function contentOf(field: Omit<Placed, 'key'> | FieldView): string {
  const text_format = field.text_format?.normalize('NFC').trim() ?? null;
  const value = text_format === null ? field.value : (readFormatted(text_format, field.value ?? '') ?? field.value);
  return JSON.stringify(Object.entries({ ...field, text_format, value, shown_if: null, formula: null }).sort());
}

function isSame(one: Placed, other: Placed): boolean {
  return contentOf(one) === contentOf(other) && hasFormulaOf(one, other) && hasConditionOf(one, other);
}

/** Returns a field with the formula and the condition that one of the two changed, or null when both changed the same one. */
function mergeReferences(field: Placed, before: Placed, now: Placed): Placed | null {
  const merged = { ...field };
  if (hasFormulaOf(field, before)) merged.formula = now.formula;
  else if (!hasFormulaOf(now, before) && !hasFormulaOf(now, field)) return null;
  if (hasConditionOf(field, before)) merged.shown_if = now.shown_if;
  else if (!hasConditionOf(now, before) && !hasConditionOf(now, field)) return null;
  return merged;
}

function hasFormulaOf({ formula }: Placed, other: Placed): boolean {
  if (formula === null || other.formula === null) return formula === other.formula;
  return plainFormula(formula) === plainFormula(other.formula);
}

function hasConditionOf({ shown_if: condition }: Placed, { shown_if: other }: Placed): boolean {
  return condition?.key === other?.key && condition?.value === other?.value;
}
