import { expect, test } from 'vitest';
import { isHeading } from './line-breaks.ts';
import { lineOf } from './lines.ts';
import { placeFields } from './place-fields.ts';

/** Lines of a PDF can have any length. The time to read them must not grow with a power of it. */
const box = { x: 0, y: 0, width: 90, height: 10, baseline: 10 };
const wordOf = (text: string) => ({ ...box, text, size: 10, bold: true, italic: false });
const lineWith = (...texts: string[]) =>
  lineOf({ ...box, segments: [{ ...box, size: 10, words: texts.map(wordOf) }] }, [], false);
const body = { size: 10, bold: false, headingSizes: [] };

test('a long line of dots is a heading unless the dots lead to its end', () => {
  const dots = '.'.repeat(10_000);
  expect(isHeading(lineWith(dots, 'of', 'course'), body)).toBe(true);
  expect(isHeading(lineWith('Payment', dots, '12'), body)).toBe(false);
  expect(isHeading(lineWith('Payment', '. . . .', '12'), body)).toBe(false);
}, 60_000);

test('a field next to a long line is called by what the line says', () => {
  const unnamed = { type: 'field', kind: 'text', name: 'born', label: null, value: null, checked: null } as const;
  const field = { ...box, ...unnamed, x: 100 };
  const labelled = (text: string) =>
    placeFields([], { width: 600, height: 800, words: [wordOf(text)], fields: [field] });
  expect(labelled(`Born: ${'_'.repeat(1_000_000)}`)).toMatchObject([{ label: 'Born' }]);
  expect(labelled(`${'_'.repeat(1_000_000)}x`)).toMatchObject([{ label: '_'.repeat(200) }]);
}, 60_000);
