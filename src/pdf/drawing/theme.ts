import { fontStacks } from '../text/typefaces.ts';
import type { TextStyle } from '../text/wrap-text.ts';
import type { ContentRole } from './structure.ts';

export type Colour = readonly [red: number, green: number, blue: number];

/** Text colour, two greys, one accent colour, the colour of warnings and that of signatures. All text has a contrast of at least 4.5:1. */
export const colours = {
  ink: hex('1b2430'),
  soft: hex('5b6675'),
  rule: hex('d5dae1'),
  accent: hex('1f5a73'),
  warning: hex('b3261e'),
  signature: hex('16324f'),
} as const;

export const styles = {
  title: { stack: fontStacks.serifSemiBold, size: 25, leading: 31, role: 'H1' },
  heading: { stack: fontStacks.serifSemiBold, size: 15, leading: 20, role: 'H2' },
  body: { stack: fontStacks.serif, size: 11, leading: 16.5 },
  label: { stack: fontStacks.sansSemiBold, size: 6.6, leading: 12, tracking: 0.55 },
  value: { stack: fontStacks.sans, size: 8.8, leading: 13 },
  name: { stack: fontStacks.sansMedium, size: 9.6, leading: 13.5 },
  small: { stack: fontStacks.sans, size: 7.4, leading: 10.6 },
  code: { stack: fontStacks.mono, size: 7.4, leading: 10.8 },
  tiny: { stack: fontStacks.sans, size: 6.4, leading: 9 },
  tinyCode: { stack: fontStacks.mono, size: 6.2, leading: 8.8 },
} as const satisfies Record<string, Style>;

export interface Style extends TextStyle {
  /** Points from one baseline to the next. */
  leading: number;
  /** Points between letters. */
  tracking?: number;
  /** What its texts are in the structure of the document. Default: a paragraph. */
  role?: ContentRole;
}

/** Page margins in points. */
export interface Margins {
  side: number;
  top: number;
  bottom: number;
}

export const margins: Margins = { side: 62, top: 84, bottom: 68 };

function hex(digits: string): Colour {
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}
