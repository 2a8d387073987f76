import type { PageSize } from '../pdf/pdfium/inspect-pdf.ts';
import { withReferences } from './calculate.ts';
import { calculatedFrom } from './check-formulas.ts';
import type { DocumentPart } from './document-part.ts';
import { type Field, groupMin, radioGroups } from './field.ts';
import { edgeTolerance } from './read-placed-fields.ts';

/**
 * Returns the fields of a document after its parts were put into another order, each on the page that it was placed on. Left
 * out are fields on pages of removed parts, fields that are calculated from those, and radio buttons that would be the only
 * one of their group. A condition on a field that is left out is dropped. Positions are numbered again from 0, in the order
 * of before.
 */
export function movedFields(
  fields: readonly Field[],
  before: readonly DocumentPart[],
  after: ReadonlyMap<DocumentPart, Pick<DocumentPart, 'first_page'>>,
): Field[] {
  const kept = fields.flatMap((field) => {
    const part = partOfPage(before, field.page);
    const moved = part && after.get(part);
    return part === undefined || moved === undefined
      ? []
      : [{ ...field, page: field.page - part.first_page + moved.first_page }];
  });
  return leftFields(fields, kept);
}

/**
 * Returns the fields that stay where they are on another file: those whose page exists there and that fit on it, without what
 * `movedFields` leaves out as well.
 */
export function fieldsThatFit(fields: readonly Field[], pages: readonly PageSize[]): Field[] {
  const fits = ({ page, x, y, width, height }: Field) => {
    const size = pages[page - 1];
    return size !== undefined && x + width <= size.width + edgeTolerance && y + height <= size.height + edgeTolerance;
  };
  return leftFields(fields, fields.filter(fits));
}

/** Removes from `kept`, a part of `fields`, those that can't be without others, and numbers the rest again. */
function leftFields(fields: readonly Field[], kept: readonly Field[]): Field[] {
  const alone = new Set(
    radioGroups(kept)
      .filter(({ length }) => length < groupMin)
      .flat(),
  );
  const placed = new Set(kept.filter((field) => !alone.has(field)).map(({ id }) => id));
  const lost = new Set(fields.filter(({ id }) => !placed.has(id)));
  for (const { id } of calculatedFrom(fields, lost)) placed.delete(id);
  const left = kept.filter(({ id }) => placed.has(id));
  const positions = new Map(left.map(({ position }, index) => [position, index]));
  return left.map((field, position) => {
    const on = positions.get(field.condition_position ?? -1) ?? null;
    return {
      ...field,
      position,
      condition_position: on,
      condition_value: on === null ? null : field.condition_value,
      formula: field.formula && withReferences(field.formula, (at) => String(positions.get(at))),
    };
  });
}

/** Returns the part that a page of the attached file belongs to. */
function partOfPage(parts: readonly DocumentPart[], page: number): DocumentPart | undefined {
  return parts.find(({ first_page, page_count }) => page >= first_page && page < first_page + page_count);
}
