import { isMarker } from './marker.ts';
import { enclose, type Row, type Segment, type Word } from './word.ts';

/** Minimum gap between segments, in parts of the font size. Words of one line are closer. */
const gapMin = 1;
/** Maximum gap after a bullet. It is larger than the gap between words. */
const markerGapMax = 6;
const baselineTolerance = 0.35;

/** Builds the rows of a part of a page, from top to bottom. */
export function buildRows(words: readonly Word[]): Row[] {
  const sorted = words.toSorted((a, b) => a.baseline - b.baseline || a.x - b.x);
  const rows: Word[][] = [];
  let baseline = Number.NEGATIVE_INFINITY;
  let size = 0;
  for (const word of sorted) {
    if (word.baseline - baseline <= baselineTolerance * Math.min(size, word.size)) rows.at(-1)?.push(word);
    else {
      rows.push([word]);
      baseline = word.baseline;
      size = word.size;
    }
    size = Math.max(size, word.size);
  }
  return rows.map(rowOf);
}

function rowOf(words: readonly Word[]): Row {
  const segments: Word[][] = [];
  for (const word of words.toSorted((a, b) => a.x - b.x)) {
    const segment = segments.at(-1);
    if (segment === undefined || isApart(segment, word)) segments.push([word]);
    else segment.push(word);
  }
  return rowOfSegments(segments.map(segmentOf));
}

export function rowOfSegments(segments: Segment[]): Row {
  return { segments, ...enclose(segments), baseline: Math.max(...segments.map(({ baseline }) => baseline)) };
}

function isApart(segment: readonly Word[], next: Word): boolean {
  const last = segment.at(-1) as Word;
  const gap = (next.x - last.x - last.width) / Math.max(last.size, next.size, 1);
  return gap > (segment.length === 1 && isMarker(last.text) ? markerGapMax : gapMin);
}

function segmentOf(words: Word[]): Segment {
  const size = Math.max(...words.map((word) => word.size));
  return { words, ...enclose(words), baseline: Math.max(...words.map(({ baseline }) => baseline)), size };
}
