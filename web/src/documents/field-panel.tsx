import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { fieldProblem } from './field-problem.ts';
import { FieldRules } from './field-rules.tsx';
import { FieldValue } from './field-value.tsx';
import { fieldsText } from './fields-texts.ts';
import type { Placed } from './placing.ts';

interface FieldPanelProps {
  field: Placed | null;
  onChange: (field: Placed) => void;
  onRemove: () => void;
}

const labelLengthMax = 100;

/** Properties of the selected field. */
export function FieldPanel({ field, onChange, onRemove }: FieldPanelProps) {
  const privateHint = useId();
  if (field === null) return <p className="text-sm text-soft">{fieldsText.none}</p>;
  const hasLabel = field.type !== 'signature' && field.type !== 'initials';
  const problem = fieldProblem(field);
  return (
    <fieldset className="rounded-xl border border-rule bg-raised p-3.5">
      <legend className="sr-only">{fieldsText.selected}</legend>
      <div className="grid gap-3">
        {!field.read_only && (
          <label className="flex items-center gap-3">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={field.required}
              onChange={({ target }) => onChange({ ...field, required: target.checked })}
            />
            {fieldsText.required}
          </label>
        )}
        <div>
          <label className="flex items-center gap-3">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={field.private}
              aria-describedby={privateHint}
              onChange={({ target }) => onChange({ ...field, private: target.checked })}
            />
            {fieldsText.private}
          </label>
          <p id={privateHint} className="mt-1 text-sm text-soft">
            {fieldsText.privateHint}
          </p>
        </div>
        {hasLabel && (
          <TextField
            label={fieldsText.label}
            hint={fieldsText.labelHint}
            isOptional
            maxLength={labelLengthMax}
            value={field.label ?? ''}
            onChange={({ target }) => onChange({ ...field, label: target.value.trim() === '' ? null : target.value })}
          />
        )}
        <FieldRules field={field} onChange={onChange} />
        <FieldValue field={field} onChange={onChange} />
        <p role="alert" className={problem === null ? 'hidden' : 'text-sm font-medium text-bad'}>
          {problem}
        </p>
        <Button kind="danger" onClick={onRemove}>
          {fieldsText.remove}
        </Button>
      </div>
    </fieldset>
  );
}
