import { addParagraph, joinForwards, move, remove } from './edit-rows.ts';
import { isText, type Row } from './rows.ts';
import { type ChangeRows, KindChoice } from './text-row.tsx';
import { textText } from './text-texts.ts';

/** The toolbar of the block with the caret. */
export function RowTools({ row, onChange }: { row: Row; onChange: ChangeRows }) {
  const { key } = row;
  const tools: [name: string, sign: string, change: Parameters<ChangeRows>[0]][] = [
    [textText.up, '↑', (rows) => move(rows, key, -1)],
    [textText.down, '↓', (rows) => move(rows, key, 1)],
    [textText.below, '+', (rows) => addParagraph(rows, key)],
    ...(isText(row)
      ? [[textText.join, '⤒', (rows) => joinForwards(rows, key)] satisfies [string, string, Parameters<ChangeRows>[0]]]
      : []),
    [textText.remove, '×', (rows) => remove(rows, key)],
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={textText.tools} className="flex flex-wrap items-center gap-0.5 py-1">
      {isText(row) && <KindChoice row={row} onChange={onChange} />}
      {tools.map(([name, sign, change]) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          title={name}
          onClick={() => onChange(change)}
          className="min-h-8 min-w-8 rounded-md text-soft hover:bg-wash hover:text-ink max-lg:min-h-11 max-lg:min-w-10"
        >
          <span aria-hidden="true">{sign}</span>
        </button>
      ))}
    </div>
  );
}
