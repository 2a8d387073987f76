import type { Box } from '../pdf/pdfium/place-on-page.ts';

/**
 * One page of an unlocked document, with its contents in reading order. Stored as one line of JSON. The JSON export has the
 * same form, so property names are single words. Positions are in points from the top left corner of the displayed page.
 */
export interface UnlockedPage {
  /** From 1. */
  page: number;
  width: number;
  height: number;
  /** Where the text comes from. `none` for a page on which nothing was found. */
  source: PageSource;
  blocks: Block[];
}

export type PageSource = 'text' | 'ocr' | 'none';

export type Block = Heading | Paragraph | List | Table | FormField;

export interface Style {
  /** Font size in points. */
  size: number;
  bold: boolean;
  italic: boolean;
}

interface TextBlock extends Box, Style {
  text: string;
  /** Whether the text runs from right to left. */
  rtl: boolean;
}

export interface Heading extends TextBlock {
  type: 'heading';
  /** From 1, the highest level. */
  level: number;
}

export interface Paragraph extends TextBlock {
  type: 'paragraph';
}

export interface List extends Box {
  type: 'list';
  items: ListItem[];
}

/** Deeper items have this level. */
export const listLevelMax = 5;

export interface ListItem extends TextBlock {
  /** As written: `•`, `1.`, `(a)`. */
  marker: string;
  ordered: boolean;
  /** From 0, the outermost level, to `listLevelMax`. */
  level: number;
}

export interface Table extends Box {
  type: 'table';
  /** Every row has a cell for each column. */
  rows: TableCell[][];
}

/** A cell without text has size 0. */
export interface TableCell extends Box {
  text: string;
  bold: boolean;
  rtl: boolean;
}

export interface FormField extends Box {
  type: 'field';
  kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'button' | 'signature';
  name: string;
  /** The field's description in the file, or the text next to the field. */
  label: string | null;
  value: string | null;
  /** Null for fields other than checkboxes and radio buttons. */
  checked: boolean | null;
}
