import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorText } from './error-text.ts';

test.each([
  ['550 5.1.1 <ada@example.com>: Recipient address rejected', '550 5.1.1 <[address]>: Recipient address rejected'],
  ['Zoë@bücher.example is unknown', '[address] is unknown'],
  ['the number +1 (555) 000-1111 is blocked', 'the number [number] is blocked'],
  ['no route to 15550001111 or 555-000-1111', 'no route to [number] or [number]'],
  ['GET https://user:secret@files.example/a/b?token=abc failed with 403', 'GET https://files.example failed with 403'],
  ['the key sk_live_51H8abcdefGHIJKL was refused', 'the key […] was refused'],
  [
    'no document 0195a1fb-a7d3-7227-9385-744179ed3915 is there',
    'no document 0195a1fb-a7d3-7227-9385-744179ed3915 is there',
  ],
  ['connect ECONNREFUSED 127.0.0.1:1025', 'connect ECONNREFUSED 127.0.0.1:1025'],
  ['one line\nand more of it', 'one line'],
  ['a\u202eb', 'a\\u{202e}b'],
])('%s', (message, shown) => {
  expect(errorText(message)).toBe(shown);
});

test('a long word is read at once', () => {
  expect(errorText(`${'.'.repeat(1_000_000)} ada@example.com`)).toHaveLength(300);
}, 60_000);

test('no address comes through, whatever is around it, and no text is too long', () => {
  const around = fc.string({ unit: 'binary', maxLength: 600 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const shown = errorText(`${before} ada@example.com ${after}`);
      expect(shown).not.toContain('ada@example.com');
      expect(shown.length).toBeLessThanOrEqual(300);
    }),
  );
});
