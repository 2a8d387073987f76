import { expect, test } from 'vitest';
import { nameInDisposition } from './content-disposition.ts';

test.for([
  [undefined, null],
  ['attachment', null],
  ['attachment; filename="a b.pdf"', 'a b.pdf'],
  ['attachment; filename="say \\"a\\".pdf"', 'say "a".pdf'],
  ['attachment; filename=a.pdf', 'a.pdf'],
  ['attachment; filename="x.pdf"; filename*=UTF-8\'\'%C3%84.pdf', 'Ä.pdf'],
  ["attachment; filename*=utf-8'en'%E2%82%AC.pdf", '€.pdf'],
  ['attachment; filename="x.pdf"; filename*=UTF-8\'\'%C3', 'x.pdf'],
  [`attachment; filename="${Buffer.from('Ä.pdf').toString('latin1')}"`, 'Ä.pdf'],
  ['attachment; filename="\xc4.pdf"', 'Ä.pdf'],
] as const)('%j names %j', ([header, name]) => {
  expect(nameInDisposition(header)).toBe(name);
});
