import { isMarkKind } from '../../../src/mark-kinds.ts';
import { fill } from '../language.ts';
import { fieldsText } from './fields-texts.ts';
import { formulaWithKeys, placedFormula } from './formula-text.ts';
import type { FieldType, FieldView, RecipientView } from './types.ts';

/** A field being placed. `key` identifies it, also in the condition or formula of another field. */
export interface Placed extends Omit<FieldView, 'shown_if'> {
  key: string;
  shown_if: { key: string; value: string } | null;
}

/** The types of fields that a recipient can have: approvers have no signatures, and who only gets a copy has none at all. */
export function typesFor({ kind }: RecipientView): FieldType[] {
  if (kind === 'cc') return [];
  const all = Object.keys(fieldsText.types) as FieldType[];
  return kind === 'approver' ? all.filter((type) => !isMarkKind(type)) : all;
}

/** In points, like all sizes here. */
const sizes: Record<FieldType, [width: number, height: number]> = {
  signature: [160, 40],
  initials: [60, 30],
  stamp: [100, 70],
  upload: [160, 22],
  date: [90, 22],
  text: [160, 22],
  checkbox: [16, 16],
  number: [90, 22],
  dropdown: [140, 22],
  radio: [16, 16],
};
const sideMin = 10;

type PageSize = readonly [width: number, height: number];

let made = 0;

export function newKey(): string {
  made += 1;
  return String(made);
}

export function keyed(fields: readonly FieldView[], keys: readonly string[] = fields.map(newKey)): Placed[] {
  return fields.map((field, index) => {
    const { shown_if: condition } = field;
    const key = condition === null ? undefined : keys[condition.field - 1];
    const placed = key === undefined || condition === null ? null : { key, value: condition.value };
    const formula = field.formula === null ? null : formulaWithKeys(field.formula, keys);
    return { ...field, key: keys[index] ?? '', shown_if: placed, formula };
  });
}

/** Returns the fields as they are saved. A condition on a field that is gone, which `fieldProblem` finds, is dropped. */
export function unkeyed(fields: readonly Placed[]): FieldView[] {
  return fields.map(({ key: _key, shown_if: condition, formula, ...field }) => {
    const number = fields.findIndex(({ key }) => key === condition?.key) + 1;
    return {
      ...field,
      shown_if: condition === null || number === 0 ? null : { field: number, value: condition.value },
      formula: formula === null ? null : placedFormula(formula, fields),
    };
  });
}

/** Returns a copy of a field at the same place or a little below it. It belongs to the same group of radio buttons. */
export function copyOf(field: Placed, page: number, size: PageSize, offset: number): Placed {
  const [width, height] = [Math.min(field.width, size[0]), Math.min(field.height, size[1])];
  return moveTo({ ...field, page, width, height, key: newKey() }, size, field.x + offset, field.y + offset);
}

/** Creates a field at its place, with the rules that are given. */
export function placeField(
  field: Pick<Placed, 'recipient' | 'type' | 'page' | 'x' | 'y' | 'width' | 'height'> & Partial<Placed>,
): Placed {
  const rules = {
    ...{ value: null, read_only: false, min: null, max: null, decimals: null, group: null, shown_if: null },
    ...{ formula: null, date_format: null, text_format: null },
  };
  const options = field.type === 'dropdown' ? [1, 2].map((n) => fill(fieldsText.option, { n })) : null;
  const required = field.type !== 'checkbox';
  return { required, label: null, private: false, ...rules, options, ...field, key: newKey() };
}

/** Creates a field of default size around a point, within the page. */
export function placeAt(
  field: Pick<Placed, 'recipient' | 'type'> & Partial<Placed>,
  page: number,
  [pageWidth, pageHeight]: PageSize,
  at: { x: number; y: number },
): Placed {
  const [width, height] = sizes[field.type].map((side, axis) =>
    Math.min(side, axis === 0 ? pageWidth : pageHeight),
  ) as [number, number];
  const placed = placeField({ page, width, height, ...field, x: 0, y: 0 });
  return moveTo(placed, [pageWidth, pageHeight], at.x - placed.width / 2, at.y - placed.height / 2);
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
