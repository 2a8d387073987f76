import { type ClipboardEvent, type KeyboardEvent, memo } from 'react';
import { AutoText } from './auto-text.tsx';
import {
  addParagraph,
  type Caret,
  type Edited,
  indent,
  joinBackwards,
  joinForwards,
  kindOf,
  move,
  paste,
  setKind,
  setMarker,
  setText,
  split,
  type TextKind,
  textKinds,
} from './edit-rows.ts';
import { bullet, type Row, type TextRow as TextRowOf } from './rows.ts';
import { textText } from './text-texts.ts';

/** Changes the rows of the page. `typing`: changes of the same kind are undone together. */
export type ChangeRows = (change: (rows: readonly Row[]) => Edited, typing?: string) => void;

interface TextRowProps {
  row: TextRowOf;
  name: string;
  caret: Caret | null;
  onChange: ChangeRows;
  onTooMuch: () => void;
}

const looks: Record<TextKind, string> = {
  h1: 'font-serif text-2xl font-semibold',
  h2: 'font-serif text-xl font-semibold',
  h3: 'font-serif text-lg font-semibold',
  h4: 'font-semibold',
  h5: 'text-sm font-semibold',
  p: '',
  bullets: '',
  numbers: '',
};
export const textLengthMax = 20_000;
const linesMax = 500;
export const fieldClass =
  'rounded-md border border-transparent px-2 py-1 hover:border-rule focus:border-edge bg-transparent';

export const TextRow = memo(function TextRow({ row, name, caret, onChange, onTooMuch }: TextRowProps) {
  const { key, kind, text, level, marker, ordered } = row;
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    const lines = pasted.split(/[\r\n\u2028\u2029]+/).filter((line) => line.trim() !== '');
    const { selectionStart: from, selectionEnd: to } = event.currentTarget;
    const isTooMuch = lines.length > linesMax || lines.some((line) => line.length + text.length > textLengthMax);
    if (isTooMuch) onTooMuch();
    else if (lines.length > 1) onChange((rows) => paste(rows, key, from, to, lines));
    if (isTooMuch || lines.length > 1) event.preventDefault();
  };
  return (
    <div className="flex items-start" style={kind === 'item' ? { paddingInlineStart: `${level * 1.25}rem` } : {}}>
      {kind === 'item' &&
        (ordered ? (
          <input
            value={marker}
            aria-label={`${textText.marker}: ${name}`}
            maxLength={40}
            onChange={({ target }) => onChange((rows) => setMarker(rows, key, target.value), `${key} marker`)}
            className={`w-12 shrink-0 text-right text-soft ${fieldClass}`}
          />
        ) : (
          <span aria-hidden={marker === bullet} className="w-6 shrink-0 py-1 text-right text-soft">
            {marker}
          </span>
        ))}
      <AutoText
        value={text}
        aria-label={name}
        maxLength={textLengthMax}
        caret={caret}
        data-key={key}
        onChange={({ target }) => onChange((rows) => setText(rows, key, target.value.replace(/[\r\n]+/g, ' ')), key)}
        onKeyDown={(event) => onKey(event, key, onChange)}
        onPaste={onPaste}
        className={`${fieldClass} ${looks[kindOf(row)]} ${row.style.bold ? 'font-semibold' : ''} ${row.style.italic ? 'italic' : ''}`}
      />
    </div>
  );
});

function onKey(event: KeyboardEvent<HTMLTextAreaElement>, key: string, onChange: ChangeRows): void {
  if (event.nativeEvent.isComposing) return;
  const change = changeOf(event, key);
  if (change === null) return;
  event.preventDefault();
  onChange(change);
}

/** Ctrl+Shift+0 to 5, 7 and 8 set the kind of a row. Ctrl+Alt types characters on Spanish keyboards. */
const kindsByDigit: Partial<Record<string, TextKind>> = {
  Digit0: 'p',
  Digit1: 'h1',
  Digit2: 'h2',
  Digit3: 'h3',
  Digit4: 'h4',
  Digit5: 'h5',
  Digit7: 'numbers',
  Digit8: 'bullets',
};

function changeOf(event: KeyboardEvent<HTMLTextAreaElement>, key: string) {
  const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
  const isAt = (place: number) => from === place && to === place;
  const [up, down] = [event.key === 'ArrowUp', event.key === 'ArrowDown'];
  if (event.altKey && (up || down)) return (rows: readonly Row[]) => move(rows, key, up ? -1 : 1);
  const kind = event.ctrlKey && event.shiftKey ? kindsByDigit[event.code] : undefined;
  if (kind !== undefined) return (rows: readonly Row[]) => setKind(rows, key, kind);
  if (event.key === 'Enter' && event.ctrlKey) return (rows: readonly Row[]) => addParagraph(rows, key);
  if (event.key === 'Enter') return (rows: readonly Row[]) => split(rows, key, from, to);
  if (event.key === 'Backspace' && isAt(0)) return (rows: readonly Row[]) => joinBackwards(rows, key);
  if (event.key === 'Delete' && isAt(value.length)) return (rows: readonly Row[]) => joinForwards(rows, key);
  return null;
}

interface KindChoiceProps {
  row: TextRowOf;
  onChange: ChangeRows;
}

/** The kind of a row, and the indent of an item. */
export function KindChoice({ row, onChange }: KindChoiceProps) {
  return (
    <>
      <select
        aria-label={textText.kind}
        value={kindOf(row)}
        onChange={({ target }) => onChange((rows) => setKind(rows, row.key, target.value as TextKind))}
        className="min-h-8 rounded-md border border-edge bg-page px-2 text-sm max-lg:min-h-11"
      >
        {textKinds.map((kind) => (
          <option key={kind} value={kind}>
            {textText.kinds[kind]}
          </option>
        ))}
      </select>
      {row.kind === 'item' &&
        ([-1, 1] as const).map((by) => (
          <button
            key={by}
            type="button"
            aria-label={by === 1 ? textText.inwards : textText.outwards}
            onClick={() => onChange((rows) => indent(rows, row.key, by))}
            className="min-h-8 min-w-8 rounded-md text-soft hover:bg-wash hover:text-ink max-lg:min-h-11 max-lg:min-w-10"
          >
            {by === 1 ? '⇥' : '⇤'}
          </button>
        ))}
    </>
  );
}
