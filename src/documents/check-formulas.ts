import { Refusal } from '../errors.ts';
import type { Field } from './field.ts';
import { parseFormula } from './formula.ts';
import type { Recipient, SignOrderMode } from './recipient.ts';

/**
 * Checks what calculated fields refer to. Their numbers must be final when the recipient signs, and must not show what is
 * hidden from others.
 */

export type FormulaField = Pick<Field, 'position' | 'type' | 'recipient_id' | 'is_private' | 'formula'>;
type Signer = Pick<Recipient, 'id' | 'sign_order'>;

/** Says which formula uses a field that it can't use, by its place in the list of fields. */
export class FormulaRefusal extends Refusal {
  constructor(message: string) {
    super(message);
    this.name = 'FormulaRefusal';
  }
}

/** Checks the formulas of all fields of a document. Throws a `FormulaRefusal` that names the first error. */
export function checkFormulas(
  fields: readonly FormulaField[],
  recipients: readonly Signer[],
  mode: SignOrderMode,
): void {
  const byPosition = new Map(fields.map((field) => [field.position, field]));
  const references = new Map(fields.map((field) => [field.position, referencesOf(field)]));
  const isEarlier = ({ recipient_id: one }: FormulaField, { recipient_id: other }: FormulaField) => {
    const orderOf = (id: string) => recipients.find((recipient) => recipient.id === id)?.sign_order ?? 0;
    return mode === 'sequential' && orderOf(one) < orderOf(other);
  };
  for (const [index, field] of fields.entries()) {
    const at = `fields[${index}].formula`;
    for (const position of references.get(field.position) ?? []) {
      const other = byPosition.get(position);
      const isOwn = other?.recipient_id === field.recipient_id;
      if (other === undefined) throw new FormulaRefusal(`${at} uses a field that does not exist`);
      if (other.type !== 'number') throw new FormulaRefusal(`${at} can only use fields of type number`);
      if (!isOwn && !isEarlier(other, field)) {
        throw new FormulaRefusal(
          `${at} can only use fields of the same recipient, or of recipients who sign in an earlier step`,
        );
      }
      if (!isOwn && other.is_private) throw new FormulaRefusal(`${at} can't use a private field of another recipient`);
      if (other.is_private && !field.is_private) {
        throw new FormulaRefusal(`${at} uses a private field, so the calculated field must be private too`);
      }
    }
  }
  const circle = circleIn(references);
  const index = fields.findIndex(({ position }) => position === circle);
  if (index !== -1) throw new FormulaRefusal(`fields[${index}].formula makes a circle: the field depends on itself`);
}

/** Returns the positions that a field's formula uses. */
export function referencesOf({ formula }: Pick<Field, 'formula'>): number[] {
  return formula === null ? [] : parseFormula(formula).references.map(Number);
}

/** Returns a field of a circle, or undefined. `references`: the fields that each one uses. */
function circleIn<Id>(references: ReadonlyMap<Id, readonly Id[]>): Id | undefined {
  const done = new Set<Id>();
  const path = new Set<Id>();
  const visit = (id: Id): Id | undefined => {
    if (path.has(id)) return id;
    if (done.has(id)) return undefined;
    path.add(id);
    for (const next of references.get(id) ?? []) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    path.delete(id);
    done.add(id);
    return undefined;
  };
  for (const id of references.keys()) {
    const found = visit(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the fields whose results come from any of the given ones, also through other calculated fields. */
export function calculatedFrom<F extends FormulaField>(fields: readonly F[], sources: ReadonlySet<F>): F[] {
  const positions = new Set([...sources].map(({ position }) => position));
  const found = new Set<F>();
  const open = fields.map((field) => ({ field, uses: referencesOf(field) })).filter(({ uses }) => uses.length > 0);
  const usesAny = ({ field, uses }: (typeof open)[number]) =>
    !found.has(field) && uses.some((position) => positions.has(position));
  for (let next = open.find(usesAny); next !== undefined; next = open.find(usesAny)) {
    found.add(next.field);
    positions.add(next.field.position);
  }
  return [...found];
}
