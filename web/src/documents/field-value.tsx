import { useState } from 'react';
import { anyNumber, formatNumber, readNumber } from '../../../src/documents/number-value.ts';
import { holdsLines } from '../../../src/documents/text-lines.ts';
import { isMarkKind } from '../../../src/mark-kinds.ts';
import { language } from '../language.ts';
import { Select, TextArea, TextField, Tick } from '../ui/field.tsx';
import { fieldsText } from './fields-texts.ts';
import type { Placed } from './placing.ts';

interface FieldValueProps {
  field: Placed;
  onChange: (field: Placed) => void;
}

const textLengthMax = 500;

/** The value that the sender gives, and whether the recipient can change it. */
export function FieldValue({ field, onChange }: FieldValueProps) {
  const { type, value, read_only: isFixed } = field;
  if (isMarkKind(type) || type === 'radio' || type === 'upload') return null;
  const set = (value: string) => onChange({ ...field, value: value === '' ? null : value });
  const common = { label: fieldsText.value, isOptional: !isFixed || type === 'date', value: value ?? '' };
  return (
    <>
      {type === 'checkbox' && (
        <Tick
          label={fieldsText.ticked}
          hint={fieldsText.tickedHint}
          checked={value === 'true'}
          onChange={({ target }) => set(target.checked ? 'true' : isFixed ? 'false' : '')}
        />
      )}
      {type === 'text' && <TextValue key={`${field.key} value`} {...common} field={field} onChange={set} />}
      {type === 'date' && <TextField {...common} type="date" onChange={({ target }) => set(target.value)} />}
      {type === 'number' && (
        <DecimalField key={`${field.key} value`} {...common} onChange={(value) => set(value ?? '')} />
      )}
      {type === 'dropdown' && (
        <Select {...common} onChange={({ target }) => set(target.value)}>
          <option value="">{fieldsText.noValue}</option>
          {value !== null && !field.options?.includes(value) && <option>{value}</option>}
          {(field.options ?? []).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      )}
      <Tick
        label={fieldsText.readOnly}
        hint={type === 'date' ? fieldsText.readOnlyDateHint : fieldsText.readOnlyHint}
        checked={isFixed}
        onChange={({ target }) => {
          const isUnticked = type === 'checkbox' && value !== 'true';
          const kept = isUnticked ? (target.checked ? 'false' : null) : value;
          onChange({ ...field, read_only: target.checked, value: kept });
        }}
      />
    </>
  );
}

interface TextValueProps {
  label: string;
  isOptional: boolean;
  value: string;
  field: Placed;
  onChange: (value: string) => void;
}

/** A text, in as many lines as the recipient can enter. The box stays what it is while its line breaks are removed. */
function TextValue({ label, isOptional, value, field, onChange }: TextValueProps) {
  const [hadLines] = useState(() => holdsLines(field));
  const hasLines = field.text_format === null && (hadLines || holdsLines(field));
  const common = { label, isOptional, value, maxLength: 2 * textLengthMax };
  return hasLines ? (
    <TextArea {...common} onChange={({ target }) => onChange(target.value)} />
  ) : (
    <TextField {...common} onChange={({ target }) => onChange(target.value)} />
  );
}

interface DecimalFieldProps {
  label: string;
  isOptional?: boolean;
  value: string;
  /** Called with the canonical decimal, with a text that is no number if none was typed, or with null. */
  onChange: (value: string | null) => void;
}

/** A number, with the decimal sign of the page's language. */
export function DecimalField({ label, isOptional = true, value, onChange }: DecimalFieldProps) {
  const [typed, setTyped] = useState(() => (isNumber(value) ? formatNumber(value, language) : value));
  return (
    <TextField
      label={label}
      isOptional={isOptional}
      inputMode="text"
      autoComplete="off"
      maxLength={40}
      value={typed}
      aria-invalid={value !== '' && !isNumber(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        const text = target.value.trim();
        const read = readNumber(text, language, anyNumber);
        // `1.200` is no number where the decimal sign is a comma, but it is a canonical decimal.
        onChange(text === '' ? null : (read ?? (isNumber(text) ? `${text}?` : text)));
      }}
    />
  );
}

function isNumber(value: string): boolean {
  return readNumber(value, 'canonical', anyNumber) !== null;
}
