// cspell:ignore falso verdadero

import { expect, test } from 'vitest';
import type { DateFormat } from '../documents/date-format.ts';
import type { Field } from '../documents/field.ts';
import { readCell } from './read-cell.ts';

const read = (field: Partial<Field>, cells: readonly string[]) =>
  cells.map((cell) => readCell({ options: null, date_format: null, text_format: null, ...field } as Field, cell, 'en'));

test('a checkbox is read as spreadsheet programs and people write it', () => {
  const checkbox = { type: 'checkbox' } as const;
  const yes = ['true', 'TRUE', 'VERDADERO', 'Yes', 'Sí', 'SI\u0301', 'si', '1'];
  expect(read(checkbox, yes)).toEqual(yes.map(() => 'true'));
  const no = ['false', 'FALSE', 'Falso', 'NO', '0'];
  expect(read(checkbox, no)).toEqual(no.map(() => 'false'));
  const neither = ['x', '2', 'perhaps', 'truefalse'];
  expect(read(checkbox, neither)).toEqual(neither.map(() => null));
});

const accepted: Array<[DateFormat | null, Record<string, string | null>]> = [
  [
    null,
    {
      '2026-03-09': '2026-03-09',
      '2026-3-9': '2026-03-09',
      '2026/03/09': '2026-03-09',
      '13/9/2026': '2026-09-13',
      '9/13/2026': '2026-09-13',
      '13-09-2026': '2026-09-13',
      '3.3.2026': '2026-03-03',
      '3/9/2026': null,
      '03.09.2026': null,
      '13/13/2026': null,
      '31/2/2026': null,
      '3/9/26': null,
      '13/9.2026': null,
      '46090': null,
    },
  ],
  ['DD/MM/YYYY', { '2026-03-09': '2026-03-09', '3/9/2026': '2026-09-03', '03/09/2026': '2026-09-03' }],
  ['DD/MM/YYYY', { '9/25/2026': null, '3.9.2026': null }],
  ['MM/DD/YYYY', { '2026-03-09': '2026-03-09', '3/9/2026': '2026-03-09', '25/9/2026': null }],
  ['DD.MM.YYYY', { '3.9.2026': '2026-09-03', '3/9/2026': null }],
  ['D MMMM YYYY', { '2026-03-09': '2026-03-09', '25/9/2026': '2026-09-25', '3/9/2026': null }],
];

test.each(accepted)(
  'a date of the format %s is read in it, and day and month are never guessed',
  (date_format, days) => {
    expect(read({ type: 'date', date_format }, Object.keys(days))).toEqual(Object.values(days));
  },
);

test('an option is found without regard to case when there is only one', () => {
  const dropdown = { type: 'dropdown', options: ['Monthly', 'YEARLY', 'Daily', 'daily'] } as const;
  expect(read(dropdown, ['monthly', 'Yearly', 'daily', 'DAILY', 'Weekly'])).toEqual([
    ...['Monthly', 'YEARLY', 'daily', null, null],
  ]);
});
