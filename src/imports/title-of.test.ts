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
