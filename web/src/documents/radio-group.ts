import { fill } from '../language.ts';
import { fieldsText } from './fields-texts.ts';
import type { Placed } from './placing.ts';
import type { FieldType } from './types.ts';

/** Returns the radio buttons of a field's group. */
export function groupOf(fields: readonly Placed[], { type, recipient, group }: Placed): Placed[] {
  if (type !== 'radio') return [];
  return fields.filter((other) => other.type === 'radio' && other.recipient === recipient && other.group === group);
}

/**
 * Replaces a field. A group shares its name, its recipient, and who must choose, sees it, and when: its other buttons change too. A group that
 * gets the name of another one joins it, and takes what the other one has.
 */
export function changeGroup(fields: readonly Placed[], field: Placed): Placed[] {
  const before = fields.find(({ key }) => key === field.key);
  const own = before === undefined ? [] : groupOf(fields, before);
  const named = groupOf(fields, field);
  const joined = named.find((other) => !own.includes(other));
  const { required, private: isPrivate, shown_if } = joined ?? field;
  const { group, recipient } = field;
  const shared = { group, recipient, required, private: isPrivate, shown_if };
  return fields.map((other) => {
    const changed = other.key === field.key ? field : other;
    return own.includes(other) || named.includes(other) ? { ...changed, ...shared } : changed;
  });
}

/** Returns what a new radio button takes from the group of the selected one. Without one, it begins a new group. */
export function newButton(
  fields: readonly Placed[],
  selected: Placed | undefined,
  recipient: string,
  type: FieldType,
): Partial<Placed> {
  if (type !== 'radio') return {};
  const joins = selected?.type === 'radio' && selected.recipient === recipient ? selected : null;
  const buttons = joins === null ? [] : groupOf(fields, joins);
  const label = fill(fieldsText.option, { n: firstFree((n) => buttons.some((one) => one.label === optionName(n))) });
  if (joins !== null) {
    const { group, required, private: isPrivate, shown_if, width, height } = joins;
    return { group, required, private: isPrivate, shown_if, width, height, label };
  }
  const isTaken = (n: number) => fields.some((field) => field.recipient === recipient && field.group === groupName(n));
  return { group: groupName(firstFree(isTaken)), label };
}

function groupName(n: number): string {
  return fill(fieldsText.newGroup, { n });
}

function optionName(n: number): string {
  return fill(fieldsText.option, { n });
}

function firstFree(isTaken: (n: number) => boolean): number {
  let n = 1;
  while (isTaken(n)) n += 1;
  return n;
}
