import { afterAll, expect, test, vi } from 'vitest';

/** The address of the document list, without a browser. */
vi.stubGlobal('document', { documentElement: { lang: 'en' } });
afterAll(() => {
  vi.unstubAllGlobals();
});
// The module is loaded by a name that is not known before, because it uses types of browsers.
const load = (name: string) => import(`../../web/src/documents/${name}.ts`);
const { withColumnToggled, withValue } = await load('document-search');

test('a column is shown and hidden on the page of the list that is shown', () => {
  const second = { q: 'lease', sort: 'oldest', after: 'cursor' };
  const shown = withColumnToggled(second, 'type');
  expect(shown).toEqual({ ...second, columns: 'type' });
  expect(withColumnToggled(shown, 'type')).toEqual(second);
  expect(withColumnToggled({}, 'type')).toEqual({ columns: 'type' });
});

test('another filter leads to the first page', () => {
  expect(withValue({ q: 'lease', after: 'cursor' }, 'type', 'contract')).toEqual({ q: 'lease', type: 'contract' });
});
