import { expect, test } from 'vitest';
import { attachedNameOf, cleanName, titleOf } from './title-of.ts';

test.for([
  ['Lease.pdf', 'Lease'],
  ['Lease.PDF', 'Lease'],
  ['Lease.docx', 'Lease.docx'],
  ['.pdf', 'Imported document'],
  ['', 'Imported document'],
  [null, 'Imported document'],
  [' a \n\t b ', 'a b'],
  ['a\u0000b\ud800c', 'a b c'],
  ['\u202egpj.pdf', 'gpj'],
  ['👩‍👧.pdf', '👩‍👧'],
  ['𝛼'.repeat(300), '𝛼'.repeat(200)],
  // As macOS writes it, and a letter that has no form of one character.
  ['Cata\u0301logo an\u0303o.pdf', 'Catálogo año'],
  ['\u0958'.repeat(200), '\u0915\u093c'.repeat(100)],
  ['e\u0301'.repeat(200), 'é'.repeat(200)],
] as const)('the title of %j is %j', ([name, title]) => {
  expect(titleOf(name)).toBe(title);
});

test('a name is bounded by code points, and by what may be attached', () => {
  expect(cleanName('𝛼'.repeat(500))).toBe('𝛼'.repeat(400));
  expect(cleanName('\u200b')).toBe(null);
  expect(attachedNameOf('a')).toBe('a.pdf');
  expect(attachedNameOf('a.PDF')).toBe('a.PDF');
  expect([...attachedNameOf('𝛼'.repeat(400))]).toHaveLength(255);
  expect(attachedNameOf(null)).toBe('Imported document.pdf');
});
