/** Text that is part of the result, among values that are still to be written. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const comma = new Written(',');
const arrayEnd = new Written(']');
const objectEnd = new Written('}');

/**
 * JSON with sorted keys and no white space, so that equal values have equal bytes: what is hashed for idempotency,
 * for the audit chain and for the content of a document. `value` comes from `JSON.parse` or holds only JSON types.
 * A list of what is left to write takes the place of recursion: a body may nest as deep as it is long.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalar(value);
  const parts: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next instanceof Written) parts.push(next.text);
    else if (typeof next !== 'object' || next === null) parts.push(scalar(next));
    else if (Array.isArray(next)) openArray(next, parts, left);
    else openObject(next as Record<string, unknown>, parts, left);
  }
  return parts.join('');
}

function scalar(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Its items go onto the list from last to first, because what is put there last is written next. */
function openArray(items: unknown[], parts: string[], left: unknown[]): void {
  parts.push('[');
  left.push(arrayEnd);
  for (let i = items.length - 1; i >= 0; i--) {
    left.push(items[i]);
    if (i > 0) left.push(comma);
  }
}

function openObject(members: Record<string, unknown>, parts: string[], left: unknown[]): void {
  const names = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort();
  parts.push('{');
  left.push(objectEnd);
  for (let i = names.length - 1; i >= 0; i--) {
    const name = names[i] as string;
    left.push(members[name], new Written(`${i > 0 ? ',' : ''}${JSON.stringify(name)}:`));
  }
}
