import { useId, useState } from 'react';
import { isMarkKind } from '../../../src/mark-kinds.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { CopyToPages, fieldsMax } from './copy-to-pages.tsx';
import { FieldCondition } from './field-condition.tsx';
import { FieldFormula } from './field-formula.tsx';
import { fieldProblem } from './field-problem.ts';
import { FieldRules } from './field-rules.tsx';
import { FieldValue } from './field-value.tsx';
import { fieldsText } from './fields-texts.ts';
import type { SigningOrder } from './formula-text.ts';
import { type Placed, typesFor } from './placing.ts';
import type { RecipientView } from './types.ts';

interface FieldPanelProps {
  field: Placed | null;
  /** All fields of the document. */
  fields: readonly Placed[];
  /** Who signs when. */
  order: SigningOrder;
  onChange: (field: Placed) => void;
  onRemove: () => void;
  onDuplicate: () => void;
  pageCount: number;
  /** Copies the field to the same place of these pages. */
  onCopy: (pages: number[]) => void;
}

const labelLengthMax = 100;

/** Properties of the selected field. */
export function FieldPanel(props: FieldPanelProps) {
  const { field, fields, order, onChange, onRemove, onDuplicate, pageCount, onCopy } = props;
  const privateHint = useId();
  if (field === null) return <p className="text-sm text-soft">{fieldsText.none}</p>;
  const hasLabel = !isMarkKind(field.type);
  const problem = fieldProblem(field, fields, order);
  return (
    <fieldset className="rounded-xl border border-rule bg-raised p-3.5">
      <legend className="sr-only">{fieldsText.selected}</legend>
      <div className="grid gap-3">
        <Owner field={field} recipients={order.recipients} onChange={onChange} />
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
        {field.type === 'radio' && <GroupName key={field.key} field={field} onChange={onChange} />}
        {hasLabel && (
          <TextField
            label={field.type === 'radio' ? fieldsText.buttonLabel : fieldsText.label}
            hint={fieldsText.labelHint}
            isOptional={field.type !== 'radio'}
            maxLength={labelLengthMax}
            value={field.label ?? ''}
            onChange={({ target }) => onChange({ ...field, label: target.value.trim() === '' ? null : target.value })}
          />
        )}
        <FieldFormula field={field} fields={fields} order={order} onChange={onChange} />
        <FieldRules field={field} onChange={onChange} />
        {field.formula === null && <FieldValue field={field} onChange={onChange} />}
        <FieldCondition field={field} fields={fields} onChange={onChange} />
        <p role="alert" className={problem === null ? 'hidden' : 'text-sm font-medium text-bad'}>
          {problem}
        </p>
        <Button onClick={onDuplicate}>{fieldsText.duplicate}</Button>
        {/* Buttons of a group must differ, and a file is attached once. */}
        {pageCount > 1 && field.type !== 'radio' && field.type !== 'upload' && (
          <CopyToPages
            key={field.key}
            page={field.page}
            pageCount={pageCount}
            room={fieldsMax - fields.length}
            onCopy={onCopy}
          />
        )}
        <Button kind="danger" onClick={onRemove}>
          {fieldsText.remove}
        </Button>
      </div>
    </fieldset>
  );
}

interface OwnerProps {
  field: Placed;
  recipients: readonly RecipientView[];
  onChange: (field: Placed) => void;
}

/** The recipient who fills in the field, if there is a choice. */
function Owner({ field, recipients, onChange }: OwnerProps) {
  const possible = recipients.filter((recipient) => typesFor(recipient).includes(field.type));
  if (possible.length < 2) return null;
  return (
    <Select
      label={fieldsText.filledBy}
      value={field.recipient}
      onChange={({ target }) => onChange({ ...field, recipient: target.value })}
    >
      {possible.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** The name of a radio button's group. It counts when it is left, because half of it may be the name of another group. */
function GroupName({ field, onChange }: { field: Placed; onChange: (field: Placed) => void }) {
  const [typed, setTyped] = useState(field.group ?? '');
  return (
    <TextField
      label={fieldsText.group}
      hint={fieldsText.groupHint}
      maxLength={labelLengthMax}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => typed !== field.group && onChange({ ...field, group: typed.trim() })}
    />
  );
}
