import type { Box } from '../world/pdf/pdfium/place-on-page.ts';

/**
 * A document that was unlocked: what stands on its pages, in reading order. Kept as one line of JSON a page, which is
 * also what the JSON export shows; so names are single words. Positions are in points from the top left corner of the
 * page as shown.
 */
export interface UnlockedPage {
  /** From 1. */
  page: number;
  width: number;
  height: number;
  /** Where its text is from: `none` for a page on which nothing was found. */
  source: PageSource;
  blocks: Block[];
}

export type PageSource = 'text' | 'ocr' | 'none';

export type Block = Heading | Paragraph | List | Table | FormField;

export interface Style {
  /** Of the font, in points. */
  size: number;
  bold: boolean;
  italic: boolean;
}

interface TextBlock extends Box, Style {
  text: string;
  /** Written from right to left. */
  rtl: boolean;
}

export interface Heading extends TextBlock {
  type: 'heading';
  /** 1 is the highest. */
  level: number;
}

export interface Paragraph extends TextBlock {
  type: 'paragraph';
}

export interface List extends Box {
  type: 'list';
  items: ListItem[];
}

export interface ListItem extends TextBlock {
  /** `•`, `1.`, `(a)`: as it is written. */
  marker: string;
  ordered: boolean;
  /** 0 is the outermost. */
  level: number;
}

export interface Table extends Box {
  type: 'table';
  /** Each with as many cells as there are columns. */
  rows: TableCell[][];
}

/** One without text has no size. */
export interface TableCell extends Box {
  text: string;
  bold: boolean;
  rtl: boolean;
}

export interface FormField extends Box {
  type: 'field';
  kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'button' | 'signature';
  name: string;
  /** What the file calls it for its readers, else what is written beside it. */
  label: string | null;
  value: string | null;
  /** Of a checkbox or radio button, otherwise null. */
  checked: boolean | null;
}
