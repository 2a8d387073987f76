import { useState } from 'react';
import { type DateFormat, dateFormats, formatDay } from '../../../src/documents/date-format.ts';
import { decimalsMax } from '../../../src/documents/number-value.ts';
import {
  exampleOf,
  isNamedFormat,
  isTextFormat,
  namedFormats,
  patternLengthMax,
} from '../../../src/documents/text-format.ts';
import { fill, language } from '../language.ts';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { DecimalField } from './field-value.tsx';
import { fieldsText } from './fields-texts.ts';
import type { Placed } from './placing.ts';

interface FieldRulesProps {
  field: Placed;
  onChange: (field: Placed) => void;
}

/** What a value must be, and how it is written: the limits of a number, the options of a drop-down list, the format of a date or text. */
export function FieldRules({ field, onChange }: FieldRulesProps) {
  if (field.type === 'number') return <NumberRules key={field.key} field={field} onChange={onChange} />;
  if (field.type === 'date') return <DateFormatRule field={field} onChange={onChange} />;
  if (field.type === 'text') return <TextFormatRule field={field} onChange={onChange} />;
  return field.type === 'dropdown' ? <Options key={field.key} field={field} onChange={onChange} /> : null;
}

/** A day that shows which number is the month. */
const sampleDay = '2026-12-31';

function DateFormatRule({ field, onChange }: FieldRulesProps) {
  return (
    <Select
      label={fieldsText.dateFormat}
      hint={fieldsText.dateFormatHint}
      value={field.date_format ?? dateFormats[0]}
      onChange={({ target }) => onChange({ ...field, date_format: target.value as DateFormat })}
    >
      {dateFormats.map((format) => (
        <option key={format} value={format}>
          {formatDay(sampleDay, format, language)}
        </option>
      ))}
    </Select>
  );
}

/** A pattern has no name, so it is what the others aren't. It is empty until one is entered. */
function TextFormatRule({ field, onChange }: FieldRulesProps) {
  const { text_format: format } = field;
  const isPattern = format !== null && !isNamedFormat(format);
  return (
    <>
      <Select
        label={fieldsText.textFormat}
        value={isPattern ? 'pattern' : (format ?? '')}
        onChange={({ target: { value } }) =>
          onChange({ ...field, text_format: value === 'pattern' ? '' : value === '' ? null : value })
        }
      >
        <option value="">{fieldsText.anyText}</option>
        {namedFormats.map((name) => (
          <option key={name} value={name}>
            {fieldsText.textFormats[name]}
          </option>
        ))}
        <option value="pattern">{fieldsText.textFormats.pattern}</option>
      </Select>
      {isPattern && (
        <TextField
          label={fieldsText.pattern}
          hint={
            isTextFormat(format)
              ? fill(fieldsText.patternExample, { example: exampleOf(format) })
              : fieldsText.patternHint
          }
          autoComplete="off"
          spellCheck={false}
          maxLength={2 * patternLengthMax}
          placeholder="AA-9999"
          value={format}
          onChange={({ target }) => onChange({ ...field, text_format: target.value })}
        />
      )}
    </>
  );
}

function NumberRules({ field, onChange }: FieldRulesProps) {
  const { min, max, decimals } = field;
  return (
    <>
      {field.formula === null && (
        <div className="grid grid-cols-2 gap-3">
          <DecimalField label={fieldsText.min} value={min ?? ''} onChange={(min) => onChange({ ...field, min })} />
          <DecimalField label={fieldsText.max} value={max ?? ''} onChange={(max) => onChange({ ...field, max })} />
        </div>
      )}
      <Select
        label={fieldsText.decimals}
        value={decimals ?? ''}
        onChange={({ target }) => onChange({ ...field, decimals: target.value === '' ? null : Number(target.value) })}
      >
        <option value="">{field.formula === null ? fieldsText.anyDecimals : fieldsText.neededDecimals}</option>
        {Array.from({ length: decimalsMax + 1 }, (_, places) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number itself
          <option key={places}>{places}</option>
        ))}
      </Select>
    </>
  );
}

function Options({ field, onChange }: FieldRulesProps) {
  const [typed, setTyped] = useState(() => (field.options ?? []).join('\n'));
  return (
    <TextArea
      label={fieldsText.options}
      hint={fieldsText.optionsHint}
      rows={5}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        const options = target.value
          .split('\n')
          .map((line) => line.trim().replace(/\s+/g, ' '))
          .filter((line) => line !== '');
        onChange({ ...field, options });
      }}
    />
  );
}
