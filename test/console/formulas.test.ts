import { afterAll, expect, test, vi } from 'vitest';

/** What the field editor does with formulas, without a browser. */
vi.stubGlobal('document', { documentElement: { lang: 'en' } });
afterAll(() => {
  vi.unstubAllGlobals();
});
// The modules are loaded by a name that is not known before, because they use types of browsers.
const load = (name: string) => import(`../../web/src/documents/${name}.ts`);
const { keyed, unkeyed } = await load('placing');
const { fieldProblem } = await load('field-problem');
const { keyedFormula, shownFormula, usableFields } = await load('formula-text');
const { fieldsText } = await load('fields-texts');

const rules = { value: null, read_only: false, min: null, max: null, decimals: null, group: null, options: null };
const place = { page: 1, x: 0, y: 0, width: 90, height: 22 };
const common = { required: true, private: false, shown_if: null, formula: null, text_format: null, ...place, ...rules };
const number = (label: string | null, more: object = {}) => {
  return { ...common, type: 'number', recipient: 'ada', label, ...more };
};
const recipient = (id: string, sign_order: number) => ({ id, sign_order });
const order = {
  sign_order_mode: 'sequential',
  recipients: [recipient('ada', 1), recipient('bob', 2), recipient('cyd', 2)],
};

test('a formula shows labels, and keeps its fields when they are renamed or others come before them', () => {
  const fields = keyed([
    number('Quantity'),
    number('Price {€}'),
    number(null),
    number('Total', { formula: '{1} * {2} - {3}' }),
  ]);
  const total = fields[3];
  expect(shownFormula(total.formula, fields)).toBe('{Quantity} * {Price €} - {Number 3}');
  const [quantity, ...others] = fields;
  const moved = [others[0], { ...quantity, label: 'Count' }, ...others.slice(1)];
  expect(shownFormula(total.formula, moved)).toBe('{Count} * {Price €} - {Number 3}');
  expect(unkeyed(moved)[3].formula).toBe('{2} * {1} - {3}');
});

test('equal labels are numbered, and names are found in any case', () => {
  const fields = keyed([number('Price'), number('Price'), number('Total', { formula: '{2}' })]);
  expect(shownFormula(fields[2].formula, fields)).toBe('{Price (2)}');
  expect(keyedFormula('{ price } + {PRICE (2)} + {1}', fields)).toBe(`{${fields[0].key}} + {${fields[1].key}} + {?1}`);
});

test('labels that differ only in case stay different fields', () => {
  const fields = keyed([
    number('Rate'),
    number('rate'),
    number('RATE (2)'),
    number('Total', { formula: '{1} - {2} / {3}' }),
  ]);
  const total = fields[3];
  const shown = shownFormula(total.formula, fields);
  expect(shown).toBe('{Rate} - {rate (2)} / {RATE (2) (2)}');
  expect(keyedFormula(shown, fields)).toBe(total.formula);
});

/** The formula is the one of the last field. */
test.each<[string, string, object[], string]>([
  ['nothing', ' ', [], 'empty'],
  ['too much', `{A}${' + 1'.repeat(200)}`, [number('A')], 'too_long'],
  ['deep parentheses', `${'('.repeat(30)}{A}${')'.repeat(30)}`, [number('A')], 'too_deep'],
  ['a comma in English', '{A} * 1,21', [number('A')], 'not_number'],
  ['a word', '{A} plus 1', [number('A')], 'unexpected'],
  ['an open end', '{A} *', [number('A')], 'unfinished'],
  ['no field', '1 + 1', [], 'no_field'],
  ['a number in a sum', 'sum({A}, 1)', [number('A')], 'not_in_sum'],
  ['an unknown name', '{Prise} * 2', [number('Price')], 'unknown'],
  ['a text', '{A} * 2', [{ ...number('A'), type: 'text' }], 'unknown'],
  ['a later recipient', '{A} * 2', [number('A', { recipient: 'cyd' })], 'notEarlier'],
  ['a hidden number of another', '{A} * 2', [number('A', { recipient: 'ada', private: true })], 'privateOther'],
  ['an own hidden number', '{A} * 2', [number('A', { recipient: 'bob', private: true })], 'privateOwn'],
  ['itself', '{Total} * 2', [], 'circle'],
])('a formula with %s is refused at once', (_name, typed, others, problem) => {
  const fields = keyed([...others, number('Total', { recipient: 'bob' })]);
  const last = fields.at(-1);
  const total = { ...last, formula: keyedFormula(typed, fields) };
  const found = fieldProblem(total, [...fields.slice(0, -1), total], order);
  const [beginning] = fieldsText.formulaProblems[problem].split(/[“{]/);
  expect(found).toContain(beginning === '' ? '“' : beginning);
  expect(found).not.toMatch(/\{(at|name|max)\}/);
});

test('a formula whose field is gone or no number any more, and a circle of two, are refused', () => {
  const { gone, notNumber, circle, notEarlier } = fieldsText.formulaProblems;
  const [a, total] = keyed([number('A'), number('Total', { recipient: 'bob', formula: '{1} * 2' })]);
  expect(fieldProblem(total, [a, total], order)).toBe(null);
  expect(fieldProblem(total, [total], order)).toBe(gone);
  expect(fieldProblem(total, [{ ...a, type: 'text' }, total], order)).toBe(notNumber);
  expect(shownFormula(total.formula, [total])).toBe('{A field that is gone} * 2');
  const parallel = { ...order, sign_order_mode: 'parallel' };
  expect(fieldProblem(total, [a, total], parallel)).toBe(notEarlier.replace('{name}', 'A'));
  const [one, other] = keyed([number('One', { formula: '{2} + 1' }), number('Other', { formula: '{1} + 1' })]);
  expect(fieldProblem(one, [one, other], order)).toBe(circle);
});

test('only the fields that a formula can use are offered', () => {
  const fields = keyed([
    number('Mine', { recipient: 'bob' }),
    number('Hidden', { recipient: 'bob', private: true }),
    number('Earlier'),
    number('Secret', { private: true }),
    number('Same step', { recipient: 'cyd' }),
    { ...number('Text'), type: 'text', recipient: 'bob' },
    number('Needs total', { recipient: 'bob', formula: '{8} + 1' }),
    number('Total', { recipient: 'bob', formula: '{1}' }),
  ]);
  const labels = (field: object) => usableFields(field, fields, order).map(({ label }: { label: string }) => label);
  expect(labels(fields[7])).toEqual(['Mine', 'Earlier']);
  expect(labels({ ...fields[7], private: true })).toEqual(['Mine', 'Hidden', 'Earlier']);
});
