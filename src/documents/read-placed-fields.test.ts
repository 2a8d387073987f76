import { expect, test } from 'vitest';
import type { DocumentFile } from './attachment.ts';
import { readPlacedFields } from './read-placed-fields.ts';
import type { Recipient } from './recipient.ts';

const file = {
  page_count: 2,
  pages: [
    [612, 792],
    [792, 612],
  ],
} as DocumentFile;

const recipients = ['signer', 'signer', 'approver', 'cc'].map((party_role, position) => {
  return { id: `01a1fb00-a7d3-7227-9385-00000000000${position}`, party_role, position } as Recipient;
});

const field = { recipient: 1, type: 'signature', page: 1, x: 100, y: 100, width: 200, height: 50 };

test('reads a field that touches the edge, with its recipient by id, and fills in the defaults', () => {
  const [read] = readPlacedFields(
    [{ ...field, recipient: recipients[1]?.id.toUpperCase(), type: 'checkbox', x: 412, y: 742 }],
    file,
    recipients,
  );
  expect(read).toEqual({
    recipient_id: recipients[1]?.id,
    ...{ type: 'checkbox', page: 1, x: 412, y: 742, width: 200, height: 50, required: false, label: null },
    ...{ is_private: false, preset: null, is_fixed: false, number_min: null, number_max: null },
    ...{ decimals: null, options: null, group_name: null, condition_position: null, condition_value: null },
    ...{ formula: null, date_format: null, text_format: null },
  });
});

const number = { ...field, type: 'number' };
const list = { ...field, type: 'dropdown', options: ['Monthly', 'Yearly'] };
const formats = 'fields[0].date_format must be one of: YYYY-MM-DD; DD/MM/YYYY; MM/DD/YYYY; DD.MM.YYYY; D MMMM YYYY;';
const textFormats =
  'fields[0].text_format must be one of email, phone, digits, or a pattern of up to 50 characters with 9 for a digit,';
const optionsOf = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index}`);

test('reads values of the sender in the form in which they are stored', () => {
  const read = readPlacedFields(
    [
      { ...number, min: 0, max: '100.50', decimals: 2, value: '7.5', read_only: true },
      { ...field, type: 'checkbox', value: true },
      { ...list, options: [' Monthly\n', 'x'.repeat(100)], value: 'Monthly' },
      { ...field, type: 'text', value: 'x'.repeat(500) },
      { ...list, options: optionsOf(100) },
      { ...field, type: 'text', text_format: `${'e\u0301'.repeat(48)}99`, value: '12' },
    ],
    file,
    recipients,
  );
  expect(read[0]).toMatchObject({ number_min: '0', number_max: '100.5', decimals: 2, preset: '7.50', is_fixed: true });
  const inFormat = `${'é'.repeat(48)}12`;
  expect(read.map(({ preset }) => preset)).toEqual(['7.50', 'true', 'Monthly', 'x'.repeat(500), null, inFormat]);
  expect(read[5]?.text_format).toBe(`${'é'.repeat(48)}99`);
  expect(read[2]?.options).toEqual(['Monthly', 'x'.repeat(100)]);
});

test.each([
  ['not an array', { fields: [] }, 'fields must be an array'],
  ['too many', Array.from({ length: 501 }, () => field), 'fields must be at most 500, there are 501'],
  ['not an object', [field, null], 'fields[1] must be an object'],
  ['an unknown property', [{ ...field, mandatory: false }], 'fields[0].mandatory is not a property'],
  [
    'no recipient',
    [{ ...field, recipient: undefined }],
    'fields[0].recipient must be the id of a recipient, or its number from 1 to 4',
  ],
  ['number 0', [{ ...field, recipient: 0 }], 'fields[0].recipient must be'],
  ['a number too high', [field, { ...field, recipient: 5 }], 'fields[1].recipient must be'],
  [
    'another document’s recipient',
    [{ ...field, recipient: '01a1fb00-a7d3-7227-9385-744179ed3915' }],
    'fields[0].recipient must be',
  ],
  ['a cc', [{ ...field, recipient: 4 }], 'fields[0].recipient only receives a copy'],
  ['an approver’s signature', [{ ...field, recipient: 3 }], 'fields[0].type cannot be signature'],
  ['an unknown type', [{ ...field, type: 'seal' }], 'fields[0].type must be one of signature'],
  ['page 0', [{ ...field, page: 0 }], 'fields[0].page must be a whole number from 1 to 2'],
  ['a page too high', [{ ...field, page: 3 }], 'fields[0].page must be'],
  ['half a page', [{ ...field, page: 1.5 }], 'fields[0].page must be'],
  ['a position that is not a number', [{ ...field, x: '100' }], 'fields[0].x must be a number'],
  ['a position left of the page', [{ ...field, x: -1 }], 'fields[0].x must not be negative'],
  [
    'over the right edge',
    [{ ...field, x: 413 }],
    'fields[0].x: the field extends past the right edge of page 1, at 612 points',
  ],
  [
    'over the lower edge of a turned page',
    [{ ...field, page: 2, y: 570 }],
    'fields[0].y: the field extends past the lower edge of page 2, at 612',
  ],
  ['too narrow', [{ ...field, width: 3 }], 'fields[0].width must be at least 4'],
  ['no height', [{ ...field, height: 0 }], 'fields[0].height must be at least 4'],
  ['required as a word', [{ ...field, required: 'yes' }], 'fields[0].required must be true or false'],
  ['an empty label', [{ ...field, label: ' ' }], 'fields[0].label must be 1 to 100 characters'],
  ['a label too long', [{ ...field, label: 'x'.repeat(101) }], 'fields[0].label must be'],
  ['a minimum that is no number', [{ ...number, min: '1,5' }], 'fields[0].min must be a number'],
  ['a maximum that is too long', [{ ...number, max: 1e21 }], 'fields[0].max must be a number'],
  ['a maximum below the minimum', [{ ...number, min: 2, max: 1 }], 'fields[0].max must not be smaller than min'],
  ['seven decimal places', [{ ...number, decimals: 7 }], 'fields[0].decimals must be a whole number from 0 to 6'],
  ['negative decimal places', [{ ...number, decimals: -1 }], 'fields[0].decimals must be'],
  ['a limit of a text', [{ ...field, type: 'text', min: 1 }], 'fields[0].min is only for fields of type number'],
  [
    'options of a text',
    [{ ...field, type: 'text', options: [] }],
    'fields[0].options is only for fields of type dropdown',
  ],
  ['a list without options', [{ ...list, options: undefined }], 'fields[0].options must be 2 to 100 texts'],
  ['one option', [{ ...list, options: ['a'] }], 'fields[0].options must be 2 to 100'],
  ['101 options', [{ ...list, options: optionsOf(101) }], 'fields[0].options must be 2 to 100'],
  ['an empty option', [{ ...list, options: ['a', ' '] }], 'fields[0].options[1] must be 1 to 100 characters'],
  ['an option too long', [{ ...list, options: ['a', 'x'.repeat(101)] }], 'fields[0].options[1] must be'],
  [
    'an option twice',
    [{ ...list, options: ['a b', 'b', 'a\t b '] }],
    'fields[0].options[2] stands in the list already',
  ],
  ['read-only without a value', [{ ...list, read_only: true }], 'fields[0].value is required'],
  ['read-only as a word', [{ ...list, read_only: 'no' }], 'fields[0].read_only must be true or false'],
  ['a value of a signature', [{ ...field, value: 'true' }], "fields[0].value can't be given for the type signature"],
  ['a value that is no option', [{ ...list, value: 'Weekly' }], 'fields[0].value is not valid'],
  ['a value below the minimum', [{ ...number, min: 0, value: '-1' }], 'fields[0].value is not valid'],
  ['a value too long', [{ ...field, type: 'text', value: 'x'.repeat(501) }], 'fields[0].value is not valid'],
  ['an empty value', [{ ...field, type: 'text', value: ' ' }], 'fields[0].value is not valid'],
  ['a value that is a list', [{ ...field, type: 'text', value: ['a'] }], 'fields[0].value is not valid'],
  ['a day that is not', [{ ...field, type: 'date', value: '2026-02-30' }], 'fields[0].value is not valid'],
  ['a format of dates that is unknown', [{ ...field, type: 'date', date_format: 'dd/mm/yyyy' }], formats],
  ['a format of dates that is empty', [{ ...field, type: 'date', date_format: '' }], formats],
  ['a format of dates that is a list', [{ ...field, type: 'date', date_format: ['DD/MM/YYYY'] }], formats],
  ['a format of a text', [{ ...field, type: 'text', date_format: 'DD/MM/YYYY' }], 'fields[0].date_format is only for'],
  ['a format of texts that is unknown', [{ ...field, type: 'text', text_format: 'e-mail' }], textFormats],
  ['a format of texts that is empty', [{ ...field, type: 'text', text_format: ' ' }], textFormats],
  ['a format of texts that is a number', [{ ...field, type: 'text', text_format: 9 }], textFormats],
  ['a format of texts that is too long', [{ ...field, type: 'text', text_format: '9'.repeat(51) }], textFormats],
  [
    'a format of texts for a date',
    [{ ...field, type: 'date', text_format: '99' }],
    'fields[0].text_format is only for',
  ],
  [
    'a value in another format',
    [{ ...field, type: 'text', text_format: '99', value: 'ab' }],
    'fields[0].value is not valid',
  ],
  ['a label that PostgreSQL cannot store', [{ ...field, label: 'a\u0000b' }], 'fields[0].label must be'],
])('refuses %s', (_name, input, reason) => {
  expect(() => readPlacedFields(input, file, recipients)).toThrow(reason);
});

const box = { ...field, type: 'checkbox' };
const buttons = (count: number, changes: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    ...field,
    ...{ type: 'radio', group: 'Payment', label: `Option ${index}`, ...changes },
  }));
const ifTrue = (number: number) => ({ shown_if: { field: number, value: true } });

test('reads groups of radio buttons, and conditions in a chain, on fields before and after', () => {
  const read = readPlacedFields(
    [
      ...buttons(20),
      box,
      { ...list, ...ifTrue(21) },
      { ...field, shown_if: { field: 22, value: 'Yearly' } },
      { ...box, ...ifTrue(1) },
    ],
    file,
    recipients,
  );
  expect(read[0]).toMatchObject({ group_name: 'Payment', required: true });
  expect(read.slice(20).map((one) => [one.condition_position, one.condition_value])).toEqual([
    [null, null],
    [20, 'true'],
    [21, 'Yearly'],
    [0, 'true'],
  ]);
});

test('the same group name of two recipients makes two groups', () => {
  const both = [...buttons(2), ...buttons(2, { recipient: 2 })];
  expect(readPlacedFields(both, file, recipients)).toHaveLength(4);
  expect(() => readPlacedFields(both.slice(1), file, recipients)).toThrow('it has 1');
});

test.each([
  ['one button', buttons(1), 'fields[0].group must have 2 to 20 radio buttons, it has 1'],
  ['21 buttons', buttons(21), 'fields[0].group must have 2 to 20 radio buttons, it has 21'],
  ['a button without a group', buttons(2, { group: ' ' }), 'fields[0].group must be 1 to 100 characters'],
  ['a group name of two lines', buttons(2, { group: 'a\nb' }), 'fields[0].group must be'],
  ['a group name too long', buttons(2, { group: 'x'.repeat(101) }), 'fields[0].group must be'],
  ['a button without a label', buttons(2, { label: undefined }), 'fields[0].label is required'],
  ['a label twice', buttons(2, { label: 'By bank' }), 'fields[1].label must differ'],
  [
    'a group of which one is optional',
    [...buttons(2), { ...buttons(1)[0], label: 'c', required: false }],
    'fields[2] must have the same',
  ],
  ['a value of a radio button', buttons(2, { value: 'true' }), "fields[0].value can't be given for the type radio"],
  ['a group of a text', [{ ...box, group: 'a' }], 'fields[0].group is only for fields of type radio'],
  [
    'a condition on nothing',
    [{ ...box, ...ifTrue(2) }],
    'fields[0].shown_if.field must be the number of a field, from 1 to 1',
  ],
  ['a condition on field 0', [{ ...box, ...ifTrue(0) }], 'fields[0].shown_if.field must be the number of a field'],
  ['a condition that is a text', [{ ...box, shown_if: 'x' }], 'fields[0].shown_if'],
  [
    'a condition with more',
    [box, { ...box, shown_if: { field: 1, value: true, not: 1 } }],
    'fields[1].shown_if.not is not a property',
  ],
  ['a condition on oneself', [{ ...box, ...ifTrue(1) }], 'fields[0].shown_if.field makes a circle'],
  [
    'a circle of three',
    [
      { ...box, ...ifTrue(2) },
      { ...box, ...ifTrue(3) },
      { ...box, ...ifTrue(1) },
    ],
    'makes a circle',
  ],
  [
    'a field that leads into a circle',
    [
      { ...box, ...ifTrue(2) },
      { ...box, ...ifTrue(2) },
    ],
    'makes a circle',
  ],
  ['a button that depends on its own group', buttons(2, ifTrue(2)), 'makes a circle'],
  ['a circle through a group', [...buttons(2, ifTrue(3)), { ...box, ...ifTrue(1) }], 'makes a circle'],
  [
    'a condition on a text',
    [
      { ...field, type: 'text' },
      { ...box, ...ifTrue(1) },
    ],
    'fields[1].shown_if.field must be a checkbox',
  ],
  [
    'a condition on another recipient',
    [box, { ...box, recipient: 2, ...ifTrue(1) }],
    'fields[1].shown_if.field must be a field of the same recipient',
  ],
  [
    'an option that is not',
    [list, { ...box, shown_if: { field: 1, value: 'Weekly' } }],
    'fields[1].shown_if.value must be one of Monthly, Yearly',
  ],
  [
    'a radio button that is not chosen',
    [...buttons(2), { ...box, shown_if: { field: 1, value: false } }],
    'fields[2].shown_if.value must be one of true',
  ],
])('refuses relations: %s', (_name, input, reason) => {
  expect(() => readPlacedFields(input, file, recipients)).toThrow(reason);
});
