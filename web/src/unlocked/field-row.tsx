import { memo } from 'react';
import { AutoText } from './auto-text.tsx';
import { type Caret, replaceRow } from './edit-rows.ts';
import type { FieldRow as FieldRowOf } from './rows.ts';
import { type ChangeRows, fieldClass, textLengthMax } from './text-row.tsx';
import { textText } from './text-texts.ts';
import type { FormField } from './types.ts';

interface FieldRowProps {
  row: FieldRowOf;
  name: string;
  caret: Caret | null;
  onChange: ChangeRows;
}

/** A form field: its label and its value. */
export const FieldRow = memo(function FieldRow({ row, name, caret, onChange }: FieldRowProps) {
  const { field, key } = row;
  const put = (change: Partial<FormField>, typing?: string) =>
    onChange((rows) => replaceRow(rows, { ...row, field: { ...field, ...change } }), typing);
  return (
    <fieldset className="flex items-start gap-2 rounded-md border border-dashed border-edge p-1.5">
      <legend className="sr-only">{`${textText.field}: ${name}`}</legend>
      {field.checked !== null && (
        <input
          type="checkbox"
          aria-label={textText.fieldChecked}
          checked={field.checked}
          onChange={({ target }) => put({ checked: target.checked })}
          className="mt-2 size-4 accent-accent"
        />
      )}
      <AutoText
        value={field.label ?? field.name}
        aria-label={textText.fieldLabel}
        maxLength={textLengthMax}
        caret={caret}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={({ target }) => put({ label: target.value }, `${key} label`)}
        className={`font-medium ${fieldClass}`}
      />
      {field.checked === null && field.kind !== 'signature' && field.kind !== 'button' && (
        <AutoText
          value={field.value ?? ''}
          aria-label={textText.fieldValue}
          maxLength={textLengthMax}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          onChange={({ target }) => put({ value: target.value }, `${key} value`)}
          className={`border-b-edge ${fieldClass}`}
        />
      )}
    </fieldset>
  );
});
