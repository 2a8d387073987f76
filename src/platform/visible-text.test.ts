import { expect, test } from 'vitest';
import { oneLine, visibleCopy, visibleJson } from './visible-text.ts';

const hidden = 'a\u200b\u{e0041}\u202e\u0007';

test('invisible characters are written as escapes', () => {
  expect(oneLine(`${hidden}\nb`)).toBe('a\\u{200b}\\u{e0041}\\u{202e}\\u{7}\\nb');
  expect(visibleJson([hidden])).toBe('["a\\u200b\\udb40\\udc41\\u202e\\u0007"]');
  expect(JSON.parse(visibleJson([hidden]))).toEqual([hidden]);
});

test('a copy has them as visible text, and keeps line breaks and other values', () => {
  const copy = visibleCopy({ title: hidden, list: [{ note: 'one\n\ttwo\r\n' }], count: 1, none: null });
  expect(copy).toEqual({
    title: 'a\\u200b\\udb40\\udc41\\u202e\\u0007',
    list: [{ note: 'one\n\ttwo\r\n' }],
    count: 1,
    none: null,
  });
});

test('one variation selector stays, as in emoji and names, and a row of them is shown', () => {
  expect(oneLine('❤\ufe0f 葛\u{e0100}')).toBe('❤\ufe0f 葛\u{e0100}');
  expect(oneLine('❤\ufe0f\ufe01\u{e0142}')).toBe('❤\ufe0f\\u{fe01}\\u{e0142}');
});
