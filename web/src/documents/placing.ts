import { fill } from '../language.ts';
import { fieldsText } from './fields-texts.ts';
import type { FieldType, FieldView } from './types.ts';

/** A field being placed. `key` identifies it. */
export interface Placed extends FieldView {
  key: string;
}

/** In points, like all sizes here. */
const sizes: Record<FieldType, [width: number, height: number]> = {
  signature: [160, 40],
  initials: [60, 30],
  date: [90, 22],
  text: [160, 22],
  checkbox: [16, 16],
  number: [90, 22],
  dropdown: [140, 22],
};
const sideMin = 10;

type PageSize = readonly [width: number, height: number];

let made = 0;

export function keyed(field: FieldView): Placed {
  made += 1;
  return { ...field, key: String(made) };
}

/** Creates a field of default size around a point, within the page. */
export function placeAt(
  { recipient, type }: Pick<FieldView, 'recipient' | 'type'>,
  page: number,
  [pageWidth, pageHeight]: PageSize,
  at: { x: number; y: number },
): Placed {
  const [width, height] = sizes[type].map((side, axis) => Math.min(side, axis === 0 ? pageWidth : pageHeight)) as [
    number,
    number,
  ];
  const rules = { value: null, read_only: false, min: null, max: null, decimals: null };
  const options = type === 'dropdown' ? [1, 2].map((n) => fill(fieldsText.option, { n })) : null;
  const required = type !== 'checkbox';
  const field = { recipient, type, page, width, height, required, label: null, private: false, ...rules, options };
  return moveTo(keyed({ ...field, x: 0, y: 0 }), [pageWidth, pageHeight], at.x - width / 2, at.y - height / 2);
}

/** Keeps a field within the page. */
export function moveTo(field: Placed, [pageWidth, pageHeight]: PageSize, x: number, y: number): Placed {
  return {
    ...field,
    x: round(Math.min(Math.max(0, x), pageWidth - field.width)),
    y: round(Math.min(Math.max(0, y), pageHeight - field.height)),
  };
}

export function resizeTo(field: Placed, [pageWidth, pageHeight]: PageSize, width: number, height: number): Placed {
  return {
    ...field,
    width: round(Math.min(Math.max(sideMin, width), pageWidth - field.x)),
    height: round(Math.min(Math.max(sideMin, height), pageHeight - field.y)),
  };
}

/** Rounds down, so that position plus size never exceeds the page. */
function round(points: number): number {
  return Math.floor(points * 100) / 100;
}
