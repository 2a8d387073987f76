import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** As it is defined, with recursion. */
function defined(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(defined).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${defined(member)}`).join(',')}}`;
}

test('any JSON is written as it is defined: names sorted, without white space', () => {
  expect(canonicalJson({ b: [1, null, undefined, 'x'], a: undefined, '"': {}, __: [] })).toBe(
    '{"\\"":{},"__":[],"b":[1,null,null,"x"]}',
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(canonicalJson(value)).toBe(defined(value));
    }),
    { numRuns: 500 },
  );
});

test('a value that nests half a million levels is written', () => {
  const text = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  expect(canonicalJson(JSON.parse(text)) === text).toBe(true);
});
