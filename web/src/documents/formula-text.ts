import { FormulaError, type FormulaProblem, formulaLengthMax, parseFormula } from '../../../src/documents/formula.ts';
import { fill, language } from '../language.ts';
import { fieldsText } from './fields-texts.ts';
import type { DocumentDetail, FieldView } from './types.ts';

/**
 * Formulas of calculated fields in the console. People see the labels of fields, and the formula that is edited has their keys:
 * `{12} * 1,21`. A name that no field has is kept after a question mark, `{?Prise}`, to be corrected.
 */

/** Who signs when. Decides which numbers are final. */
export type SigningOrder = Pick<DocumentDetail, 'sign_order_mode' | 'recipients'>;

/** A field being placed, as far as formulas need it. */
type Placed = Pick<FieldView, 'type' | 'label' | 'recipient' | 'private' | 'formula'> & { key: string };

/** Why a field can't be used in a formula. */
type Obstacle = 'notNumber' | 'notEarlier' | 'privateOther' | 'privateOwn';

const references = /\{([^{}]*)\}/g;

/** Returns the names of the number fields, by key. Each is there once, in any case, because people may type it in any. */
export function formulaNames(fields: readonly Placed[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [index, { key, type, label }] of fields.entries()) {
    if (type !== 'number') continue;
    const plain = label?.replace(/[{}]/g, ' ').trim().replace(/\s+/g, ' ');
    const name = plain || `${fieldsText.types.number} ${index + 1}`;
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name} (${n})`;
    taken.add(free.toLowerCase());
    names.set(key, free);
  }
  return names;
}

/** Returns the formula as people read it. */
export function shownFormula(formula: string, fields: readonly Placed[]): string {
  const names = formulaNames(fields);
  return formula.replace(references, (_all, reference: string) => {
    return `{${reference.startsWith('?') ? reference.slice(1) : (names.get(reference) ?? fieldsText.goneField)}}`;
  });
}

/** Returns the formula with keys in place of names. */
export function keyedFormula(typed: string, fields: readonly Placed[]): string {
  const keys = new Map([...formulaNames(fields)].map(([key, name]) => [name.toLowerCase(), key]));
  return typed.replace(references, (_all, name: string) => {
    return `{${keys.get(name.trim().replace(/\s+/g, ' ').toLowerCase()) ?? `?${name}`}}`;
  });
}

/** Returns the fields that a formula of `field` can use. */
export function usableFields(field: Placed, fields: readonly Placed[], order: SigningOrder): Placed[] {
  const uses = usesOf(fields);
  return fields.filter(
    (other) => obstacleOf(other, field, order) === null && !reaches(uses, other.key, field.key, new Set()),
  );
}

/** Says what is wrong with a formula, or returns null. */
export function formulaProblem(field: Placed, fields: readonly Placed[], order: SigningOrder): string | null {
  if (field.formula === null) return null;
  const { formulaProblems } = fieldsText;
  const names = formulaNames(fields);
  const found = read(field.formula);
  if (found instanceof FormulaError) return sentence(found.problem, shownFormula(found.at, fields));
  for (const reference of found.references) {
    if (reference.startsWith('?')) return fill(formulaProblems.unknown, { name: reference.slice(1) });
    const other = fields.find(({ key }) => key === reference);
    if (other === undefined) return formulaProblems.gone;
    const obstacle = obstacleOf(other, field, order);
    if (obstacle !== null) return fill(formulaProblems[obstacle], { name: names.get(reference) ?? '' });
  }
  const uses = usesOf(fields);
  const isCircle = found.references.some((key) => reaches(uses, key, field.key, new Set()));
  if (isCircle) return formulaProblems.circle;
  const isTooLong = placedFormula(field.formula, fields).length > formulaLengthMax;
  return isTooLong ? sentence('too_long', '') : null;
}

/** Returns a formula of the server, in which fields are numbers in the list, with keys. */
export function formulaWithKeys(formula: string, keys: readonly string[]): string {
  return parseFormula(formula).write(language, (number) => keys[Number(number) - 1] ?? '?');
}

/** Returns a formula as it is saved: fields are numbers in the list, from 1. A faulty one, which isn't saved, is returned as it is. */
export function placedFormula(formula: string, fields: readonly Placed[]): string {
  const found = read(formula);
  if (found instanceof FormulaError) return formula;
  return found.write('canonical', (reference) => String(fields.findIndex(({ key }) => key === reference) + 1));
}

/** Returns a formula with keys in one way of writing, so that two with the same meaning are the same text. */
export function plainFormula(formula: string): string {
  const found = read(formula);
  return found instanceof FormulaError ? formula : found.write('canonical', (reference) => reference);
}

function obstacleOf(
  other: Placed,
  field: Placed,
  { sign_order_mode: mode, recipients }: SigningOrder,
): Obstacle | null {
  if (other.type !== 'number') return 'notNumber';
  if (other.recipient === field.recipient) return other.private && !field.private ? 'privateOwn' : null;
  const [one, own] = [other, field].map(({ recipient }) => recipients.find(({ id }) => id === recipient)?.sign_order);
  const isEarlier = mode === 'sequential' && one !== undefined && own !== undefined && one < own;
  if (!isEarlier) return 'notEarlier';
  return other.private ? 'privateOther' : null;
}

/** Returns the keys that the formula of each field uses. */
function usesOf(fields: readonly Placed[]): Map<string, string[]> {
  return new Map(
    fields.flatMap(({ key, formula }) =>
      formula === null ? [] : [[key, [...formula.matchAll(references)].map(([, reference = '']) => reference)]],
    ),
  );
}

/** Whether the field `from` is `to`, or its result comes from it. */
function reaches(uses: ReadonlyMap<string, string[]>, from: string, to: string, passed: Set<string>): boolean {
  if (from === to) return true;
  if (passed.has(from)) return false;
  passed.add(from);
  return (uses.get(from) ?? []).some((next) => reaches(uses, next, to, passed));
}

function read(formula: string) {
  try {
    return parseFormula(formula, language);
  } catch (error) {
    if (error instanceof FormulaError) return error;
    throw error;
  }
}

function sentence(problem: FormulaProblem, at: string): string {
  return fill(fieldsText.formulaProblems[problem], { at, max: formulaLengthMax });
}
