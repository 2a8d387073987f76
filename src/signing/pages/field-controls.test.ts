import { expect, test } from 'vitest';
import { fieldSlot, nameFields } from './field-controls.ts';
import type { PageField } from './signing-page.ts';
import { noRules } from './testing/sample-views.ts';

const field = (id: string, changes: Partial<PageField>): PageField => ({
  id,
  type: 'text',
  page: 1,
  x: 0,
  y: 0,
  width: 100,
  height: 20,
  required: true,
  label: null,
  value: null,
  ...noRules,
  ...changes,
});

const names = (fields: PageField[], language: 'en' | 'es' = 'en') =>
  nameFields(language, fields).map(({ name }) => name);

test('fields are named in reading order: by page, then line by line', () => {
  const fields = [
    field('d', { page: 2, type: 'date' }),
    field('c', { y: 300, type: 'checkbox', required: false }),
    field('b', { x: 300, y: 96, type: 'initials' }), // a little higher than what stands left of it
    field('a', { x: 20, y: 100, type: 'signature' }),
  ];
  expect(names(fields)).toEqual([
    'Signature, page 1, required',
    'Initials, page 1, required',
    'Checkbox, page 1, optional',
    'Date, page 2, required',
  ]);
  expect(names(fields, 'es')[0]).toBe('Firma, página 1, obligatorio');
});

test('the label of the sender comes first, and those that would sound the same are counted', () => {
  const fields = [
    field('a', { label: 'Company' }),
    field('b', { y: 50 }),
    field('c', { y: 80 }),
    field('d', { y: 120, label: '  ' }),
    field('e', { page: 2 }),
  ];
  expect(names(fields)).toEqual([
    'Company, Text, page 1, required',
    'Text 1, page 1, required',
    'Text 2, page 1, required',
    'Text 3, page 1, required',
    'Text, page 2, required',
  ]);
});

test('a place is in percent of its page, and hostile labels and values stay text', () => {
  const attack = '"><script>alert(1)</script>';
  const [named] = nameFields('en', [
    field('a', { x: 61.2, y: 79.2, width: 306, height: 19.8, label: attack, value: attack }),
  ]);
  if (named === undefined) throw new Error('the field is missing');
  const { markup } = fieldSlot('en', named, { width: 612, height: 792 });
  expect(markup).toContain('data-place="10 10 50 2.5"');
  expect(markup).not.toContain('<script>');
  expect(markup).toContain('value="&quot;&gt;&lt;script&gt;');
});
