import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextArea } from '../ui/field.tsx';
import { fieldsText } from './fields-texts.ts';
import { formulaNames, keyedFormula, type SigningOrder, shownFormula, usableFields } from './formula-text.ts';
import type { Placed } from './placing.ts';

interface FieldFormulaProps {
  field: Placed;
  fields: readonly Placed[];
  order: SigningOrder;
  onChange: (field: Placed) => void;
}

/** Room for names, which are longer than the numbers that are saved. */
const typedMax = 5000;

/** Whether a number is entered or calculated, and from what. */
export function FieldFormula(props: FieldFormulaProps) {
  const { field, onChange } = props;
  if (field.type !== 'number') return null;
  const isCalculated = field.formula !== null;
  return (
    <>
      <Select
        label={fieldsText.source}
        value={isCalculated ? 'calculated' : 'entered'}
        onChange={({ target }) => {
          const entered = { ...field, formula: null };
          const calculated = { formula: '', min: null, max: null, value: null, read_only: false };
          onChange(target.value === 'calculated' ? { ...field, ...calculated } : entered);
        }}
      >
        <option value="entered">{fieldsText.entered}</option>
        <option value="calculated">{fieldsText.calculated}</option>
      </Select>
      {isCalculated && <FormulaInput key={field.key} {...props} />}
    </>
  );
}

/** The formula, and the fields to insert into it. */
function FormulaInput({ field, fields, order, onChange }: FieldFormulaProps) {
  const [entered, setEntered] = useState(() => shownFormula(field.formula ?? '', fields));
  // What someone else saved may have been loaded since.
  const typed = keyedFormula(entered, fields) === field.formula ? entered : shownFormula(field.formula ?? '', fields);
  const box = useRef<HTMLDivElement>(null);
  const heading = useId();
  const names = formulaNames(fields);
  const usable = usableFields(field, fields, order);
  const set = (text: string) => {
    setEntered(text);
    onChange({ ...field, formula: keyedFormula(text, fields) });
  };
  const insert = (key: string) => {
    const area = box.current?.querySelector('textarea');
    if (!area) return;
    const { selectionStart: start, selectionEnd: end } = area;
    const inserted = `${typed.slice(0, start)}{${names.get(key)}}`;
    area.focus();
    // The new text is shown at once, so that the caret is in place before the next key is typed.
    flushSync(() => set(`${inserted}${typed.slice(end)}`));
    area.setSelectionRange(inserted.length, inserted.length);
  };
  return (
    <div ref={box} className="grid gap-2">
      <TextArea
        label={fieldsText.formula}
        hint={fieldsText.formulaHint}
        rows={3}
        maxLength={typedMax}
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => set(target.value)}
      />
      <p id={heading} className="text-sm font-semibold">
        {fieldsText.insert}
      </p>
      {usable.length === 0 ? (
        <p className="text-sm text-soft">{fieldsText.noNumbers}</p>
      ) : (
        <ul aria-labelledby={heading} className="flex flex-wrap gap-2">
          {usable.map(({ key, recipient }) => {
            const owner = order.recipients.find(({ id }) => id === recipient)?.name ?? '';
            const isOwn = recipient === field.recipient;
            return (
              <li key={key} className="min-w-0">
                <Button className="max-w-full break-words" onClick={() => insert(key)}>
                  <bdi>{isOwn ? names.get(key) : fill(fieldsText.numberOf, { name: names.get(key) ?? '', owner })}</bdi>
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
