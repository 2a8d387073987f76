import { afterAll, expect, test, vi } from 'vitest';

/** How the field editor adds fields that someone else saved, without a browser. */
vi.stubGlobal('document', { documentElement: { lang: 'en' } });
afterAll(() => {
  vi.unstubAllGlobals();
});
// The modules are loaded by a name that is not known before, because they use types of browsers.
const load = (name: string) => import(`../../web/src/documents/${name}.ts`);
const { keyed, placeAt, unkeyed } = await load('placing');
const { mergeFields } = await load('merge-fields');
const { changeGroup } = await load('radio-group');

const field = (label: string, more: object = {}) => ({ label, type: 'number', shown_if: null, formula: null, ...more });
const labels = (fields: { label: string }[]) => fields.map(({ label }) => label);
const [a, b, c] = ['A', 'B', 'C'].map((label) => field(label));

test('fields of both are kept, and what one of the two removed or changed is so for both', () => {
  const loaded = keyed([a, b, c]);
  const placed = [{ ...loaded[0], label: 'Own' }, loaded[1], ...keyed([field('D')])];
  const merged = mergeFields(placed, loaded, [a, field('B2'), c, field('E')]);
  expect(labels(merged.fields)).toEqual(['Own', 'D', 'B2', 'E']);
  expect(merged).toMatchObject({ added: 2, removed: 1 });
  const later = mergeFields(merged.fields, merged.loaded, [a, c]);
  expect(labels(later.fields)).toEqual(['Own', 'D']);
});

test('a field that was changed here stays when someone else removed it', () => {
  const loaded = keyed([a, b]);
  const merged = mergeFields([loaded[0], { ...loaded[1], label: 'Own' }], loaded, [a]);
  expect(labels(merged.fields)).toEqual(['A', 'Own']);
});

test('conditions and formulas still refer to the same fields', () => {
  const total = field('Total', { formula: '{1} + {2}' });
  const loaded = keyed([a, b, total]);
  const latest = [field('New'), b, a, field('Total', { formula: '{3} * {2}', shown_if: { field: 1, value: '1' } })];
  const { fields } = mergeFields(loaded, loaded, latest);
  expect(labels(fields)).toEqual(['A', 'B', 'Total', 'New']);
  expect(unkeyed(fields)[2]).toMatchObject({ formula: '{1} * {2}', shown_if: { field: 4, value: '1' } });
});

test('a formula and a condition that someone else changed stay when the field was moved here', () => {
  const total = field('Total', { formula: '{1} * 2', x: 1 });
  const loaded = keyed([a, total]);
  const placed = [loaded[0], { ...loaded[1], x: 50 }];
  const shown_if = { field: 1, value: '1' };
  const merged = mergeFields(placed, loaded, [a, { ...total, formula: '{1} * 3', shown_if }]);
  expect(merged).toMatchObject({ added: 0, removed: 0 });
  expect(unkeyed(merged.fields)).toEqual([a, { ...total, x: 50, formula: '{1} * 3', shown_if }]);
  const own = [loaded[0], { ...loaded[1], formula: `{${loaded[0].key}}*4` }];
  expect(unkeyed(mergeFields(own, loaded, [a, { ...total, shown_if }]).fields)[1]).toMatchObject({
    formula: '{1} * 4',
    shown_if,
  });
});

test('a field whose formula or condition both changed is there twice', () => {
  const total = field('Total', { formula: '{1} * 2' });
  const loaded = keyed([a, total]);
  const placed = [loaded[0], { ...loaded[1], formula: `{${loaded[0].key}}*4` }];
  const merged = mergeFields(placed, loaded, [a, { ...total, formula: '{1} * 3' }]);
  expect(merged).toMatchObject({ added: 1, removed: 0 });
  expect(unkeyed(merged.fields).map(({ formula }: { formula: string }) => formula)).toEqual([
    null,
    '{1} * 4',
    '{1} * 3',
  ]);
  expect(mergeFields(merged.fields, merged.loaded, [a, { ...total, formula: '{1} * 3' }])).toMatchObject({
    fields: merged.fields,
    added: 0,
    removed: 0,
  });
  expect(mergeFields(placed, loaded, [a, { ...total, formula: '{1} * 4' }])).toMatchObject({ added: 0, removed: 0 });
  const shown = (value: string) => ({ shown_if: { key: loaded[0].key, value } });
  const theirs = [a, { ...total, shown_if: { field: 1, value: '1' } }];
  expect(mergeFields([loaded[0], { ...loaded[1], ...shown('2') }], loaded, theirs)).toMatchObject({ added: 1 });
  expect(mergeFields([loaded[0], { ...loaded[1], ...shown('1') }], loaded, theirs)).toMatchObject({ added: 0 });
});

test('the buttons of a group that were not changed here are there once', () => {
  const button = (label: string, more: object = {}) =>
    field(label, { type: 'radio', recipient: 'r-1', group: 'Choice', required: true, private: false, x: 1, ...more });
  const loaded = keyed([button('1'), button('2')]);
  const placed = changeGroup(loaded, { ...loaded[0], x: 5 });
  const merged = mergeFields(placed, loaded, [button('1'), button('2', { x: 9 })]);
  expect(unkeyed(merged.fields)).toEqual([button('1', { x: 5 }), button('2', { x: 9 })]);
  expect(labels(mergeFields(placed, loaded, [button('1')]).fields)).toEqual(['1']);
});

test('fields with the same content are each there as often as they were saved', () => {
  const loaded = keyed([a, a]);
  expect(labels(mergeFields(loaded, loaded, [a, a, a]).fields)).toEqual(['A', 'A', 'A']);
  expect(labels(mergeFields(loaded, loaded, [a]).fields)).toEqual(['A']);
});

test('fields that were saved, although the answer was lost, are there once', () => {
  const loaded = keyed([a, b]);
  const own = placeAt({ recipient: 'r-1', type: 'text' }, 1, [600, 800], { x: 100, y: 100 });
  const placed = [loaded[0], { ...loaded[1], label: 'Own' }, own];
  // The server has its own order of properties.
  const saved = unkeyed(placed).map((view: object) => Object.fromEntries(Object.entries(view).reverse()));
  const merged = mergeFields(placed, loaded, saved);
  expect(merged).toMatchObject({ fields: placed, added: 0, removed: 0 });
  expect(mergeFields(merged.fields, merged.loaded, [...saved, field('New')])).toMatchObject({ added: 1, removed: 0 });
});
