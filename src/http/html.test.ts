import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, jsonData } from './html.ts';

test('text is escaped for element content and quoted attributes alike', () => {
  const text = `<b title="x">'&'</b>`;
  expect(html`<p title="${text}">${text}</p>`.markup).toBe(
    '<p title="&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;">&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;</p>',
  );
});

test('null and false print nothing, arrays print their parts, markup is not escaped twice', () => {
  const items = ['a', '<'].map((item) => html`<li>${item}</li>`);
  expect(html`${null}${false}${0}<ul>${items}</ul>`.markup).toBe('0<ul><li>a</li><li>&lt;</li></ul>');
});

test('no text can break out of its place in the markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', '\u202e', '\u{1f58b}') }), (text) => {
      const inside = html`<p>${text}</p>`.markup.slice(3, -4);
      return !/[<>"']/.test(inside);
    }),
  );
});

test('JSON data can be read back from the page and cannot end its element', () => {
  const value = { text: '</script><!-- <script> & "quotes"' };
  const { markup } = jsonData('texts', value);
  const json = markup.slice(markup.indexOf('>') + 1, markup.lastIndexOf('<'));
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual(value);
});
