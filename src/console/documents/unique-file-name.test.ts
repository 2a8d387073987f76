import { expect, test } from 'vitest';
import { uniqueFileName } from './unique-file-name.ts';

test.each([
  ['Lease: “Mühle” 1/2', 'Lease_ “Mühle” 1_2.pdf'],
  ['../../etc/passwd', '_.._etc_passwd.pdf'],
  ['C:\\Windows', 'C__Windows.pdf'],
  ['con', '_con.pdf'],
  ['NUL.2026', '_NUL.2026.pdf'],
  ['...', 'document.pdf'],
  ['exe.\u202Efdp', 'exe._fdp.pdf'],
  ['a\u0000b\nc', 'a_b_c.pdf'],
  ['Lease. ', 'Lease.pdf'],
  ['\ud800', '\ufffd.pdf'],
  ['é'.repeat(200), `${'é'.repeat(120)}.pdf`],
])('%j becomes a safe name', (title, name) => expect(uniqueFileName(title, 'pdf', new Set())).toBe(name));

test('names that differ only in case or in the form of an accent get a number', () => {
  const names = new Set<string>();
  const given = ['Lease', 'lease', 'Mu\u0308hle', 'Mühle', 'Lease (2)'].map((title) =>
    uniqueFileName(title, 'pdf', names),
  );
  expect(given).toEqual(['Lease.pdf', 'lease (2).pdf', 'Mühle.pdf', 'Mühle (2).pdf', 'Lease (2) (2).pdf']);
});
