import type { SuggestedField } from '../../../src/documents/form-fields.ts';
import { type Placed, placeField } from './placing.ts';
import type { FieldType } from './types.ts';

/** Returns the suggested fields that are not placed yet. Of a group of radio buttons, all or none are. */
export function stillToPlace(
  suggested: readonly SuggestedField[],
  fields: readonly Placed[],
  types: readonly FieldType[],
): SuggestedField[] {
  const isPlaced = (one: SuggestedField) => fields.some((field) => isAtPlaceOf(field, one));
  const placedGroups = new Set(suggested.filter(isPlaced).map(({ group }) => group));
  return suggested.filter((one) =>
    one.group === null ? types.includes(one.type) && !isPlaced(one) : !placedGroups.has(one.group),
  );
}

/** Whether the middle of a suggested field is covered. */
function isAtPlaceOf(field: Placed, { page, x, y, width, height }: SuggestedField): boolean {
  const [middle, centre] = [x + width / 2, y + height / 2];
  const isWithin = field.x <= middle && middle <= field.x + field.width;
  return field.page === page && isWithin && field.y <= centre && centre <= field.y + field.height;
}

/** Returns suggested fields as fields of a recipient. Groups get names that the recipient's other groups don't have. */
export function placeSuggested(
  suggested: readonly SuggestedField[],
  recipient: string,
  fields: readonly Placed[],
): Placed[] {
  const taken = new Set(fields.filter((field) => field.recipient === recipient).map(({ group }) => group));
  const names = new Map<string, string>();
  for (const { group } of suggested) {
    if (group === null || names.has(group)) continue;
    const name = firstFree(group, taken);
    taken.add(name);
    names.set(group, name);
  }
  return suggested.map(({ group, ...field }) =>
    placeField({ ...field, recipient, group: group === null ? null : (names.get(group) ?? group) }),
  );
}

function firstFree(name: string, taken: ReadonlySet<string | null>): string {
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name} ${n}`;
  return free;
}
