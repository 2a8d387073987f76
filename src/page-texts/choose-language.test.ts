import { expect, test } from 'vitest';
import { languageForDocument, languageForNotice } from './choose-language.ts';

const chosen = null;

test.each([
  ['en', undefined, 'en'],
  ['es', undefined, 'es'],
  ['es', '*', 'es'],
  ['en', 'de-DE,de;q=0.9,en;q=0.8', 'de'],
  ['es', 'de-AT', 'de'],
  ['en', 'pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7', 'pt'],
  ['en', 'es-MX,es;q=0.9', 'es'],
  // Browsers come with English, so it doesn't outweigh the language that the sender chose.
  ['es', 'en-US,en;q=0.9', 'es'],
  ['es', 'en-US,en;q=0.9,de;q=0.8', 'es'],
  ['en', 'en-US,en;q=0.9,de;q=0.8', 'en'],
  // None of ours.
  ['es', 'pl,cs;q=0.9', 'es'],
  ['en', 'pl,cs;q=0.9,fr;q=0.2', 'fr'],
  // Weights decide, not the order. Equal ones leave the order.
  ['en', 'fr;q=0.4,it;q=0.7', 'it'],
  ['en', 'fr;q=0.7,it;q=0.7', 'fr'],
  ['en', 'de;q=0,fr;q=0.1', 'fr'],
  ['en', 'de;q=0', 'en'],
  ['en', 'DE ; Q=0.5', 'de'],
  // No weights, and no languages.
  ['en', 'de;q=2,it;q=abc,fr;q=-1', 'en'],
  ['en', 'deutsch,constructor,__proto__,toString', 'en'],
  ['en', `${'x,'.repeat(8000)}fr`, 'fr'],
] as const)('a document in %s, read in a browser with %s, is shown in %s', (document, acceptLanguage, language) => {
  expect(languageForDocument(document, { chosen, acceptLanguage })).toBe(language);
});

test('a header full of spaces is read at once', () => {
  expect(languageForNotice({ chosen, acceptLanguage: `fr${' '.repeat(1_000_000)}x, it ` })).toBe('it');
}, 60_000);

test('what the person chose counts before everything else', () => {
  expect(languageForDocument('es', { chosen: 'en', acceptLanguage: 'de' })).toBe('en');
  expect(languageForNotice({ chosen: 'it', acceptLanguage: 'de' })).toBe('it');
});

test('a page about no document is in the language of the browser, else in English', () => {
  expect(languageForNotice({ chosen, acceptLanguage: 'en-US,en;q=0.9,fr;q=0.8' })).toBe('en');
  expect(languageForNotice({ chosen, acceptLanguage: 'fr-CA,en;q=0.8' })).toBe('fr');
  expect(languageForNotice({ chosen, acceptLanguage: undefined })).toBe('en');
});
