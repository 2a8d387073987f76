import { afterAll, expect, test, vi } from 'vitest';

/** How the console writes recent times, without a browser. */
vi.stubGlobal('document', { documentElement: { lang: 'en' } });
afterAll(() => {
  vi.unstubAllGlobals();
});
// The module is loaded by a name that is not known before, because it uses types of browsers.
const load = (name: string) => import(`../../web/src/${name}.ts`);
const { formatWhen } = await load('language');

const now = new Date(2026, 0, 7, 1, 0);

test.each([
  ['in the same minute', new Date(2026, 0, 7, 0, 59, 40), 'now'],
  ['late on the day before', new Date(2026, 0, 6, 23, 0), '2 hr. ago'],
  ['early on the day before', new Date(2026, 0, 6, 0, 30), 'yesterday'],
  ['late two days before', new Date(2026, 0, 5, 23, 0), '2 days ago'],
  ['six days before', new Date(2026, 0, 1, 2, 0), '6 days ago'],
  ['more than a week before', new Date(2025, 11, 30, 23, 0), 'Dec 30, 2025'],
  ['late on the day after', new Date(2026, 0, 8, 23, 0), 'tomorrow'],
])('a time %s', (_name, at, shown) => {
  expect(formatWhen(at.toJSON(), now.getTime())).toBe(shown);
});
