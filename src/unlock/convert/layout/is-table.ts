import { columnOf, type Gutter } from './find-bands.ts';
import { enclose, median, type Row, type Segment } from './word.ts';

const proseWordsMin = 4;
const proseRowsMin = 3;
/** Part of the column width that lines of running text fill on average. */
const proseFillMin = 0.6;
/** Part of the rows that columns of a table share. Columns of running text have their own rows. */
const sharedMin = 0.25;

/** Whether rows with gutters are a table. Otherwise they are columns of text. */
export function isTable(rows: readonly Row[], gutters: readonly Gutter[]): boolean {
  const columns: Segment[][] = Array.from({ length: gutters.length + 1 }, () => []);
  for (const { segments } of rows) {
    for (const segment of segments) columns[columnOf(segment, gutters)]?.push(segment);
  }
  const shared = rows.filter(({ segments }) => segments.length > 1).length / rows.length;
  return shared >= sharedMin && !columns.every(isProse);
}

function isProse(column: readonly Segment[]): boolean {
  const { width } = enclose(column);
  return (
    column.length >= proseRowsMin &&
    median(column.map(({ words }) => words.length)) >= proseWordsMin &&
    median(column.map((segment) => segment.width / width)) >= proseFillMin
  );
}
