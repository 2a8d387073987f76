import { Refusal } from '../errors.ts';
import { groupMax, groupMin, type PlacedField, radioGroups } from './field.ts';

/** Checks the groups of radio buttons and the conditions of all fields of a document. Throws a `Refusal`. */
export function checkFieldRelations(fields: readonly PlacedField[]): void {
  for (const buttons of radioGroups(fields)) checkGroup(fields, buttons);
  for (const [index, field] of fields.entries()) {
    if (field.condition_position !== null) checkCondition(fields, field, `fields[${index}].shown_if`);
  }
}

function checkGroup(fields: readonly PlacedField[], buttons: readonly PlacedField[]): void {
  const [first, ...others] = buttons as [PlacedField, ...PlacedField[]];
  const at = (field: PlacedField) => `fields[${fields.indexOf(field)}]`;
  if (buttons.length < groupMin || buttons.length > groupMax) {
    throw new Refusal(
      `${at(first)}.group must have ${groupMin} to ${groupMax} radio buttons, it has ${buttons.length}`,
    );
  }
  const labels = new Set<string | null>();
  for (const button of buttons) {
    if (button.label === null) throw new Refusal(`${at(button)}.label is required for a radio button`);
    if (labels.has(button.label)) throw new Refusal(`${at(button)}.label must differ from the others of its group`);
    labels.add(button.label);
  }
  const odd = others.find((button) =>
    (['required', 'is_private', 'condition_position', 'condition_value'] as const).some(
      (name) => button[name] !== first[name],
    ),
  );
  if (odd !== undefined) {
    throw new Refusal(`${at(odd)} must have the same required, private and shown_if as the others of its group`);
  }
}

function checkCondition(fields: readonly PlacedField[], field: PlacedField, at: string): void {
  const other = fields[field.condition_position ?? -1];
  if (other === undefined) throw new Refusal(`${at}.field must be the number of a field, from 1 to ${fields.length}`);
  if (other.recipient_id !== field.recipient_id) throw new Refusal(`${at}.field must be a field of the same recipient`);
  const values = conditionValues(other);
  if (values === null) throw new Refusal(`${at}.field must be a checkbox, a radio button or a drop-down list`);
  if (!values.includes(field.condition_value ?? '')) {
    throw new Refusal(`${at}.value must be one of ${values.join(', ').slice(0, 200)}`);
  }
  const passed = new Set<PlacedField>([field]);
  for (let next: PlacedField | undefined = other; next !== undefined; next = fields[next.condition_position ?? -1]) {
    if (passed.has(next)) throw new Refusal(`${at}.field makes a circle: the field depends on itself`);
    passed.add(next);
  }
}

/** Returns the values that a condition can name. A radio button is chosen or, with another one, it isn't. */
function conditionValues({ type, options }: PlacedField): readonly string[] | null {
  if (type === 'checkbox') return ['true', 'false'];
  if (type === 'radio') return ['true'];
  return options;
}
