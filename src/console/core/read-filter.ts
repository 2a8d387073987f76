import type { Query } from '../../http/page-request.ts';
import { ConsoleError } from './console-error.ts';

/** Returns a parameter of a query, or null if it is missing or empty. Throws `invalid_input`. */
export function readOne(query: Query, name: string, isGood: (value: string) => boolean): string | null {
  const value = query[name] ?? '';
  if (value === '') return null;
  if (typeof value !== 'string' || !isGood(value)) throw new ConsoleError('invalid_input', { param: name });
  return value;
}

/** Returns a parameter that has one of these values. */
export function readChoice<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  return readOne(query, name, (value) => (choices as readonly string[]).includes(value)) as Choice | null;
}

const searchLengthMax = 200;

/** Returns the text of a search box in the parameter `search`. It can be passed to PostgreSQL. */
export function readSearch(query: Query): string | null {
  return readOne(query, 'search', (value) => {
    return value.length <= searchLengthMax && value.isWellFormed() && !value.includes('\u0000');
  });
}

export const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Returns a time such as `2026-03-01T09:30:00Z`. */
export function readTime(query: Query, name: string): Date | null {
  const value = readOne(query, name, (text) => utcTime.test(text) && !Number.isNaN(Date.parse(text)));
  return value === null ? null : new Date(value);
}
