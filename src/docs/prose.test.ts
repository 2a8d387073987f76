import { expect, test } from 'vitest';
import { prose } from './prose.ts';

test('names with underscores and words in backticks become code', () => {
  expect(prose('Set `title`, then content.sign_order_mode.').markup).toBe(
    'Set <code>title</code>, then <code>content.sign_order_mode</code>.',
  );
});

test('the name of an error links to where it is explained', () => {
  expect(prose('Otherwise invalid_title.').markup).toBe(
    'Otherwise <a href="#invalid_title"><code>invalid_title</code></a>.',
  );
});

test('a link in brackets is one, and everything else is escaped', () => {
  expect(prose('[See <here>](#errors) & `a<b>`').markup).toBe(
    '<a href="#errors">See &lt;here&gt;</a> &amp; <code>a&lt;b&gt;</code>',
  );
});
