import { memo, useState } from 'react';
import { fill } from '../language.ts';
import { AutoText } from './auto-text.tsx';
import { type Caret, remove, replaceRow } from './edit-rows.ts';
import { addColumn, addLine, removeColumn, removeLine, setCell } from './edit-table.ts';
import type { TableRow as TableRowOf } from './rows.ts';
import { type ChangeRows, textLengthMax } from './text-row.tsx';
import { textText } from './text-texts.ts';

interface TableRowProps {
  row: TableRowOf;
  name: string;
  caret: Caret | null;
  onChange: ChangeRows;
}

/** A table. It scrolls if it is wider than the page. */
export const TableRow = memo(function TableRow({ row: table, name, caret, onChange }: TableRowProps) {
  const [at, setAt] = useState({ row: 0, column: 0 });
  const put = (next: TableRowOf | null) =>
    onChange((rows) => (next === null ? remove(rows, table.key) : replaceRow(rows, next)));
  const tools: [name: string, made: () => TableRowOf | null][] = [
    [textText.addLine, () => addLine(table, Math.min(at.row, table.cells.length - 1))],
    [textText.addColumn, () => addColumn(table, at.column)],
    [textText.removeLine, () => removeLine(table, at.row)],
    [textText.removeColumn, () => removeColumn(table, at.column)],
  ];
  return (
    <div className="group/table">
      <section aria-label={`${textText.table}: ${name}`} className="overflow-x-auto">
        <table className="w-full border-collapse">
          <tbody>
            {table.cells.map((line, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
              <tr key={row}>
                {line.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same
                  <td key={column} className="min-w-24 border border-rule p-0 align-top">
                    <AutoText
                      value={cell.text}
                      aria-label={fill(textText.cell, { row: row + 1, column: column + 1 })}
                      maxLength={textLengthMax}
                      caret={row === 0 && column === 0 ? caret : null}
                      onFocus={() => setAt({ row, column })}
                      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
                      onChange={({ target }) =>
                        onChange(
                          (rows) =>
                            replaceRow(rows, setCell(table, row, column, target.value.replace(/[\r\n]+/g, ' '))),
                          `${table.key} ${row} ${column}`,
                        )
                      }
                      className={`bg-transparent px-2 py-1 text-sm -outline-offset-2 ${cell.bold ? 'font-semibold' : ''}`}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="hidden flex-wrap gap-x-3 group-focus-within/table:flex">
        {tools.map(([tool, make]) => (
          <button
            key={tool}
            type="button"
            onClick={() => put(make())}
            className="min-h-8 text-sm text-accent underline max-lg:min-h-11"
          >
            {tool}
          </button>
        ))}
      </div>
    </div>
  );
});
