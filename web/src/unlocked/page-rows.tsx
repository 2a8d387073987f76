import { memo } from 'react';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { addParagraph, type Caret } from './edit-rows.ts';
import { FieldRow } from './field-row.tsx';
import { RowTools } from './row-tools.tsx';
import type { Row } from './rows.ts';
import { TableRow } from './table-row.tsx';
import { type ChangeRows, TextRow } from './text-row.tsx';
import { textText } from './text-texts.ts';

interface PageRowsProps {
  page: number;
  rows: readonly Row[];
  caret: Caret | null;
  /** The row with the caret. */
  active: string | null;
  onEnter: (key: string) => void;
  onChange: ChangeRows;
  onTooMuch: () => void;
}

/** The blocks of a page, in reading order. */
export const PageRows = memo(function PageRows(props: PageRowsProps) {
  const { page, rows, caret, active, onEnter, onChange, onTooMuch } = props;
  return (
    <div className="grid gap-1">
      {rows.length === 0 && <p className="text-soft">{textText.noText}</p>}
      {rows.map((row, index) => {
        const common = {
          name: fill(textText.block, { n: index + 1, page }),
          caret: caret?.key === row.key ? caret : null,
          onChange,
        };
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: only observes the caret
          <div key={row.key} onFocus={() => onEnter(row.key)} onKeyDown={walk} className="rounded-lg">
            {row.kind === 'table' ? (
              <TableRow row={row} {...common} />
            ) : row.kind === 'field' ? (
              <FieldRow row={row} {...common} />
            ) : (
              <TextRow row={row} {...common} onTooMuch={onTooMuch} />
            )}
            {active === row.key && <RowTools row={row} onChange={onChange} />}
          </div>
        );
      })}
      <Button kind="quiet" className="justify-self-start" onClick={() => onChange((all) => addParagraph(all, null))}>
        {fill(textText.add, { n: page })}
      </Button>
    </div>
  );
});

/** Moves the caret to the next block at the upper or lower edge of a row. */
function walk(event: React.KeyboardEvent<HTMLElement>): void {
  const { target: from, key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (!(from instanceof HTMLTextAreaElement) || altKey || shiftKey || ctrlKey || metaKey) return;
  const isUp = key === 'ArrowUp' && from.selectionEnd === 0;
  const isDown = key === 'ArrowDown' && from.selectionStart === from.value.length;
  if (!isUp && !isDown) return;
  const all = [...document.querySelectorAll<HTMLTextAreaElement>('[data-pages] textarea')];
  const next = all[all.indexOf(from) + (isUp ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  const at = isUp ? next.value.length : 0;
  next.setSelectionRange(at, at);
}
