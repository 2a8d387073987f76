import { afterAll, expect, test, vi } from 'vitest';

/** What the field editor does with fields that depend on each other, without a browser. */
vi.stubGlobal('document', { documentElement: { lang: 'en' } });
afterAll(() => {
  vi.unstubAllGlobals();
});
// The modules are loaded by a name that is not known before, because they use types of browsers.
const load = (name: string) => import(`../../web/src/documents/${name}.ts`);
const { keyed } = await load('placing');
const { fieldProblem } = await load('field-problem');
const { changeGroup } = await load('radio-group');
const { fieldsText } = await load('fields-texts');
const { conditionLost, valueLost } = fieldsText.problems;

const rules = { value: null, read_only: false, min: null, max: null, decimals: null, group: null, options: null };
const order = { sign_order_mode: 'parallel', recipients: [] };
const place = { page: 1, x: 0, y: 0, width: 16, height: 16 };
const common = {
  recipient: 'ada',
  required: true,
  private: false,
  label: null,
  shown_if: null,
  formula: null,
  text_format: null,
  ...place,
  ...rules,
};
const isTicked = (field: number) => ({ field, value: 'true' });

test('a field that depended on one that was removed must be looked at again', () => {
  const [box, text] = keyed([
    { ...common, type: 'checkbox' },
    { ...common, type: 'text', shown_if: isTicked(1) },
  ]);
  expect(fieldProblem(text, [box, text], order)).toBe(null);
  expect(fieldProblem(text, [text], order)).toBe(conditionLost);
  expect(fieldProblem({ ...text, shown_if: null }, [text], order)).toBe(null);
});

test('an option that something depends on, or that is the value, is missed when it is changed', () => {
  const [list, text] = keyed([
    { ...common, type: 'dropdown', options: ['Red', 'Blue'], value: 'Red' },
    { ...common, type: 'text', shown_if: { field: 1, value: 'Red' } },
  ]);
  const changed = { ...list, options: ['Green', 'Blue'] };
  expect([fieldProblem(list, [list, text], order), fieldProblem(text, [list, text], order)]).toEqual([null, null]);
  expect([fieldProblem(changed, [changed, text], order), fieldProblem(text, [changed, text], order)]).toEqual([
    valueLost,
    conditionLost,
  ]);
  expect(fieldProblem({ ...changed, value: null }, [changed, text], order)).toBe(null);
});

const button = (group: string, label: string, more: object = {}) => ({
  ...common,
  type: 'radio',
  group,
  label,
  ...more,
});

test('a group that gets the name of another one takes what the other one has', () => {
  const strict = { required: true, private: true, shown_if: isTicked(5) };
  const fields = keyed([
    button('Pay', 'Bank', strict),
    button('Pay', 'Cash', strict),
    button('Ship', 'Post', { required: false }),
    button('Ship', 'Self', { required: false }),
    { ...common, type: 'checkbox' },
  ]);
  const [bank, , post, , box] = fields;
  const joined = changeGroup(fields, { ...post, group: 'Pay' });
  expect(joined.map(({ group }: { group: string | null }) => group)).toEqual(['Pay', 'Pay', 'Pay', 'Pay', null]);
  for (const field of joined.slice(0, 4)) {
    expect(field).toMatchObject({ required: true, private: true, shown_if: { key: box.key } });
  }
  expect(joined[2].label).toBe('Post');
  // A name that no other group has, and any other change, is the group's own.
  const named = changeGroup(fields, { ...post, group: 'Delivery' });
  expect(named.slice(2, 4)).toMatchObject([{ group: 'Delivery' }, { group: 'Delivery', required: false }]);
  const eased = changeGroup(fields, { ...bank, required: false, shown_if: null });
  expect(eased.slice(0, 2)).toMatchObject([
    { required: false, shown_if: null },
    { required: false, shown_if: null, private: true },
  ]);
});

test('a group can’t depend on a button that has joined it', () => {
  const fields = keyed([
    button('Pay', 'Bank', { shown_if: isTicked(3) }),
    button('Pay', 'Cash', { shown_if: isTicked(3) }),
    button('Ship', 'Post'),
    button('Ship', 'Self'),
  ]);
  expect(fieldProblem(fields[0], fields, order)).toBe(null);
  const joined = changeGroup(fields, { ...fields[2], group: 'Pay' });
  expect(fieldProblem(joined[0], joined, order)).toBe(conditionLost);
});

test('a radio button that is given to someone else takes its group along', () => {
  const buttons = keyed([button('Pets', 'Yes'), button('Pets', 'No'), button('Car', 'Yes')]);
  const moved = changeGroup(buttons, { ...buttons[0], recipient: 'grace' });
  expect(moved.map(({ recipient }: { recipient: string }) => recipient)).toEqual(['grace', 'grace', 'ada']);
});

test('a field that depends on one of someone else must be looked at again', () => {
  const [box, text] = keyed([
    { ...common, type: 'checkbox' },
    { ...common, type: 'text', shown_if: isTicked(1) },
  ]);
  const given = { ...box, recipient: 'grace' };
  expect(fieldProblem(text, [given, text], order)).toBe(conditionLost);
});
