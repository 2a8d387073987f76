import { expect, test } from 'vitest';
import { findPasswordFault } from './password-fault.ts';

const owner = { email: 'Ada.Lovelace@difference-engine.example', companyNames: ['Acme Builders', 'Größe & Söhne'] };
const faultOf = (password: string) => findPasswordFault(password, owner);

test.each(['1234567', '𝄞'.repeat(201), ' '.repeat(12), ''])('%j has the wrong length', async (password) => {
  expect(await faultOf(password)).toBe('length');
});

test.each([
  ...[
    'password',
    '12345678',
    'qwertyuiop',
    'iloveyou',
    'QWERTYUIOP',
    'PaSsWoRd',
    'P@ssw0rd',
    'password1',
    'Password123',
  ],
  ...['abcdefgh', 'aaaaaaaa', '12341234', '11111111', 'drowssap', '1q2w3e4r', 'qazwsxedc', 'sunshine1', 'letmein!'],
  ...[
    'football',
    'baseball',
    'superman',
    'trustno1',
    'whatever',
    'metallica',
    'chocolat',
    '        x',
    'x'.repeat(200),
  ],
  'ｐａｓｓｗｏｒｄ',
])('%j is common', async (password) => {
  expect(await faultOf(password)).toBe('common');
});

test.each([
  ...[
    'Countersign',
    'countersign-2026',
    'ACME builders',
    'Acme2026!',
    'acme-builders-1',
    'ada.lovelace',
    'AdaLovelace99',
  ],
  ...['ADA.LOVELACE@difference-engine.example', 'DifferenceEngine!', 'lovelace1815', 'Gr\u00f6\u00dfe S\u00f6hne'],
])('%j is made of names', async (password) => {
  expect(await faultOf(password)).toBe('personal');
});

test('a name next to a common password does not make it less common', async () => {
  expect(await faultOf('acme-password123')).toBe('common');
});

test.each([
  ...['correct horse battery', 'correct horse', 'contraseña larga', 'another long one', '𝄞𝄢𝄡𝄪𝄫𝄬𝄭𝄮', 'vG7#kq2L'],
  ...['acme purple tractor 91', 'ada likes tea at noon'],
])('%j may be set', async (password) => {
  expect(await faultOf(password)).toBeNull();
});

// Only the start of a password is rated. A rating that never ends shows as a test that runs out of time.
test('a long password of hostile patterns is judged', async () => {
  for (const unit of ['p4$$w0rd@', '@$4301!|z27+', 'abc', '1']) {
    expect(await faultOf(unit.repeat(200).slice(0, 200))).not.toBe('length');
  }
});
