import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalEmail, isSameEmail } from './canonical-email.ts';

const kelvin = '\u212a';

test.each([
  ['Ada.Lovelace@Example.COM', 'ada.lovelace@example.com'],
  ['  ada@example.com\n', 'ada@example.com'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
  [`ada@${kelvin}elvin.example`, 'ada@kelvin.example'],
  ['ada@ｅxample.com', 'ada@example.com'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['jose\u0301@example.com', 'josé@example.com'],
  ['JOSÉ@example.com', 'josÉ@example.com'],
])('%j is compared as %j', (address, canonical) => {
  expect(canonicalEmail(address)).toBe(canonical);
});

test.each([
  ['mark@example.com', `mar${kelvin}@example.com`],
  ['mark@example.com', `MAR${kelvin}@example.com`],
  ['izel@example.com', '\u0130zel@example.com'],
  ['izel@example.com', '\u0131zel@example.com'],
  ['sam@example.com', '\u017fam@example.com'],
  ['ada@example.com', 'аda@example.com'],
  ['ada@example.com', 'ａda@example.com'],
  ['ada@example.com', 'a\u200bda@example.com'],
  ['a`@example.com', 'a\u1fef@example.com'],
  ['ada@i.example', 'ada@\u0130.example'],
  ['ada@example.com', 'ada@ex%61mple.com'],
  ['ada@127.0.0.1', 'ada@127.1'],
  ['ada@127.0.0.1', 'ada@１２７.1'],
  ['ada@b.example', 'ada@b.example/ö'],
])('%j and %j are two people', (one, other) => {
  expect(isSameEmail(one, other)).toBe(false);
});

test('only ASCII capitals become other ASCII characters in the local part', () => {
  const taken: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const [first = ''] = canonicalEmail(`.${String.fromCodePoint(code)}@a.b`).slice(1);
    if (first < '\x80' && String.fromCodePoint(code).trim() !== '') taken.push(code.toString(16));
  }
  expect(taken).toEqual([]);
});

test('a canonical form is its own canonical form, for any text', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 });
  const domains = fc.oneof(texts, fc.constantFrom('Ü.example', 'a.b', '\u212a.B', 'xn--x', '..', '%41.ö'));
  fc.assert(
    fc.property(texts, domains, (local, domain) => {
      const canonical = canonicalEmail(`${local}@${domain}`);
      expect(canonicalEmail(canonical)).toBe(canonical);
    }),
    { numRuns: 2000 },
  );
});

test('an ASCII address is only lower-cased, which migrations rely on', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ09-_.%+x@n') }), (text) => {
      expect(canonicalEmail(text)).toBe(text.toLowerCase());
    }),
  );
});
