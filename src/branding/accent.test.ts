import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentColours, contrast } from './accent.ts';
import { accentAddress, accentCss } from './accent-css.ts';

const lightPages = ['#ffffff', '#fffefb', '#f1efe9', '#e4e1d9'];
const darkPages = ['#14161c', '#1b1e25', '#20242d', '#22262f'];
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

function expectReadable(accent: string): void {
  const { light, dark } = accentColours(accent);
  for (const [colours, pages] of [
    [light, lightPages],
    [dark, darkPages],
  ] as const) {
    const pairs = [
      [colours.onFill, colours.fill],
      [colours.onFill, colours.fillStrong],
      [colours.onText, colours.text],
      [colours.onText, colours.textStrong],
      ...[...pages, colours.wash].map((page) => [colours.text, page]),
    ] as [string, string][];
    for (const [text, background] of pairs) {
      expect(contrast(text, background), `${accent}: ${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(colours.fillEdge, pages[1] as string)).toBeGreaterThanOrEqual(3);
  }
}

test.each(['#000000', '#ffffff', '#ffff00', '#22407a', '#777777', '#0000ff', '#ff0000', '#00ff00'])(
  'text in and on %s can be read',
  expectReadable,
);

test('text in and on any colour can be read', () => {
  fc.assert(fc.property(colour, expectReadable), { numRuns: 3000 });
});

test('a colour that carries white text and links is used as it is', () => {
  const { light } = accentColours('#7a2255');
  expect([light.fill, light.text, light.onFill]).toEqual(['#7a2255', '#7a2255', '#ffffff']);
});

test('the stylesheet has its colours alone, at an address with a hash', () => {
  expect(accentCss('#ffff00')).toContain('--fill: var(--light, #ffff00) var(--dark, #ffff00);');
  expect(accentCss('#ffff00')).toMatch(
    /^:root \{\n( {2}--[a-z-]+: var\(--light, #[0-9a-f]{6}\) var\(--dark, #[0-9a-f]{6}\);\n)+\}\n$/,
  );
  expect(accentAddress('#ffff00')).toMatch(/^\/brand\/accent\/ffff00\.[0-9a-f]{10}\.css$/);
});
