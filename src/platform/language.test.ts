import { expect, test } from 'vitest';
import { preferredLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['es', 'es'],
  ['ES-419,es;q=0.9,en;q=0.8', 'es'],
  ['en-GB,en;q=0.9,es;q=0.8', 'en'],
  ['ca-ES, es;q=0.9, en;q=0.8', 'es'],
  ['est,fr;q=0.9', 'en'],
  ['fr,de', 'en'],
  [`${'x,'.repeat(8000)}es`, 'es'],
])('who asks in %s reads %s', (acceptLanguage, language) => {
  expect(preferredLanguage(acceptLanguage)).toBe(language);
});
