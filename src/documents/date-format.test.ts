import { expect, test } from 'vitest';
import { type DateFormat, formatDay } from './date-format.ts';

test.each<[DateFormat | null, string, string]>([
  [null, 'en', '2026-03-09'],
  ['YYYY-MM-DD', 'en', '2026-03-09'],
  ['DD/MM/YYYY', 'en', '09/03/2026'],
  ['MM/DD/YYYY', 'es', '03/09/2026'],
  ['DD.MM.YYYY', 'de', '09.03.2026'],
  ['D MMMM YYYY', 'en', '9 March 2026'],
  ['MMMM D, YYYY', 'en', 'March 9, 2026'],
  ['D MMMM YYYY', 'es', '9 de marzo de 2026'],
  ['MMMM D, YYYY', 'es', '9 de marzo de 2026'],
  ['D MMMM YYYY', 'de', '9. März 2026'],
  ['D MMMM YYYY', 'fr', '9 mars 2026'],
  ['D MMMM YYYY', 'it', '9 marzo 2026'],
  ['D MMMM YYYY', 'pt', '9 de março de 2026'],
])('%s in %s', (format, language, written) => {
  expect(formatDay('2026-03-09', format, language)).toBe(written);
});

test.each([
  ['0000-01-01', '1 January 0000'],
  ['0099-12-31', '31 December 0099'],
  ['1582-10-10', '10 October 1582'],
  ['9999-12-31', '31 December 9999'],
])('the day %s', (day, written) => {
  expect(formatDay(day, 'D MMMM YYYY', 'en')).toBe(written);
});

test.each(['', '-', '2026-03', 'tomorrow'])('%j is no day and stays', (text) => {
  expect(formatDay(text, 'D MMMM YYYY', 'en')).toBe(text);
  expect(formatDay(text, 'DD/MM/YYYY', 'en')).toBe(text);
});
