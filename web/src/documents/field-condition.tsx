import { Select } from '../ui/field.tsx';
import { fieldsText } from './fields-texts.ts';
import type { Placed } from './placing.ts';
import { groupOf } from './radio-group.ts';

interface FieldConditionProps {
  field: Placed;
  fields: readonly Placed[];
  onChange: (field: Placed) => void;
}

/** When a field is shown: always, or while another field of the same recipient has a value. */
export function FieldCondition({ field, fields, onChange }: FieldConditionProps) {
  const others = fields.filter((other) => canDecide(other, field, fields));
  const { shown_if: condition } = field;
  if (others.length === 0 && condition === null) return null;
  const chosen = others.find(({ key }) => key === condition?.key);
  const values = chosen === undefined ? [] : valuesOf(chosen);
  const isValueGone = condition !== null && !values.some(({ value }) => value === condition.value);
  return (
    <>
      <Select
        label={fieldsText.showIf}
        value={condition?.key ?? ''}
        onChange={({ target }) => {
          const other = others.find(({ key }) => key === target.value);
          const value = other && valuesOf(other)[0]?.value;
          onChange({ ...field, shown_if: other && value !== undefined ? { key: other.key, value } : null });
        }}
      >
        <option value="">{fieldsText.always}</option>
        {condition !== null && chosen === undefined && (
          <option value={condition.key}>{fieldsText.unusableField}</option>
        )}
        {others.map((other, index) => (
          <option key={other.key} value={other.key}>
            {nameOf(other, index)}
          </option>
        ))}
      </Select>
      {chosen !== undefined && (values.length > 1 || isValueGone) && (
        <Select
          label={fieldsText.isValue}
          value={condition?.value}
          onChange={({ target }) => onChange({ ...field, shown_if: { key: chosen.key, value: target.value } })}
        >
          {isValueGone && <option value={condition.value}>{condition.value}</option>}
          {values.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}

/** Whether `other` may decide over `field`: it has a choice, is of the same recipient, and doesn't depend on the field. */
function canDecide(other: Placed, field: Placed, fields: readonly Placed[]): boolean {
  const isChoice = other.type === 'checkbox' || other.type === 'dropdown' || other.type === 'radio';
  if (!isChoice || other.recipient !== field.recipient) return false;
  const own = new Set([field.key, ...groupOf(fields, field).map(({ key }) => key)]);
  const passed = new Set<string>();
  for (let next: Placed | undefined = other; next !== undefined && !passed.has(next.key); ) {
    if (own.has(next.key)) return false;
    passed.add(next.key);
    const key: string | undefined = next.shown_if?.key;
    next = fields.find((one) => one.key === key);
  }
  return true;
}

function valuesOf({ type, options }: Placed): { value: string; name: string }[] {
  if (type === 'dropdown') return (options ?? []).map((value) => ({ value, name: value }));
  const ticked = { value: 'true', name: fieldsText.isTicked };
  return type === 'radio' ? [ticked] : [ticked, { value: 'false', name: fieldsText.isNotTicked }];
}

/** A field without a label is known by its type and number. */
function nameOf({ type, label, group }: Placed, index: number): string {
  const name = label ?? `${fieldsText.types[type]} ${index + 1}`;
  return type === 'radio' ? `${group}: ${name}` : name;
}
