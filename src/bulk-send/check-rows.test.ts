import { expect, test } from 'vitest';
import type { Field } from '../documents/field.ts';
import type { Recipient } from '../documents/recipient.ts';
import { type BulkTemplate, bodyOfRow, checkRows, presetsOfRow } from './check-rows.ts';
import { bulkRowsMax, type CsvRow } from './read-csv.ts';

const nobody = { email: null, phone: null, party_role: null, channel: 'email', auth_level: 'l0_email_link' };
const template: BulkTemplate = {
  document: {
    title: 'Lease',
    type: 'contract',
    primary_language: 'es',
    message: 'Please sign.',
    sign_order_mode: 'sequential',
    expires_in_days: 30,
  },
  recipients: [
    { ...nobody, id: 'a', display_name: 'Tenant', sign_order: 1, auth_level: 'l1_email_sms_otp' },
    { ...nobody, id: 'b', display_name: 'Office', email: 'office@example.com', party_role: 'cc', sign_order: 2 },
  ] as unknown as Recipient[],
};
const targets = ['a name', 'a email', 'a phone', 'title', ''];
const rowOf = (number: number, ...cells: string[]): CsvRow => ({ number, cells });

test('a row becomes a document with the details of the template, and with its own where it has some', async () => {
  const cells = ['Ada Lovelace', 'ada@example.com', '+34 600 000 000', '', 'ignored'];
  expect(await checkRows(template, targets, [rowOf(2, ...cells)])).toEqual([
    { number: 2, cells, faults: [], duplicateOf: null },
  ]);
  expect(bodyOfRow(template, targets, cells)).toEqual({
    title: 'Lease',
    type: 'contract',
    primary_language: 'es',
    content: { message: 'Please sign.', sign_order_mode: 'sequential', expires_in_days: 30 },
    recipients: [
      {
        id: 'a',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+34 600 000 000',
        role: 'Tenant',
        channel: 'email',
        sign_order: 1,
        auth_level: 'l1_email_sms_otp',
      },
      {
        id: 'b',
        name: 'Office',
        email: 'office@example.com',
        role: 'cc',
        channel: 'email',
        sign_order: 2,
        auth_level: 'l0_email_link',
      },
    ],
  });
  expect(bodyOfRow(template, targets, [...cells.slice(0, 3), 'Lease of Ada']).title).toBe('Lease of Ada');
});

test('every fault of a row is named with its column', async () => {
  const [row] = await checkRows(template, targets, [
    rowOf(7, 'x'.repeat(121), 'ada@', '', 't'.repeat(201), '', 'stray'),
  ]);
  expect(row?.faults.map(({ column, code }) => [column, code])).toEqual([
    [0, 'invalid_recipient_name'],
    [1, 'invalid_recipient_email'],
    [2, 'missing'],
    [3, 'invalid_title'],
    [5, 'no_header'],
  ]);
  const [without] = await checkRows(template, ['a name', 'a email'], [rowOf(2, 'Ada', 'ada@example.com')]);
  expect(without?.faults).toEqual([{ column: null, target: 'a phone', code: 'missing' }]);
});

test('a phone number that a spreadsheet has changed, or that has no digits, is a fault', async () => {
  const rows = ['4.91701E+11', '4,91701e+11', '#N/A', '+34 600 000 000', '491701234567'].map((phone, index) =>
    rowOf(index + 2, 'Ada', 'ada@example.com', phone),
  );
  const checked = await checkRows(template, targets, rows);
  const fault = { column: 2, target: 'a phone', code: 'invalid_phone' };
  expect(checked.map(({ faults }) => faults)).toEqual([[fault], [fault], [fault], [], []]);
  // A number that nobody dials is not looked at.
  const [tenant, ...others] = template.recipients as [Recipient, ...Recipient[]];
  const byEmail = { ...template, recipients: [{ ...tenant, auth_level: 'l0_email_link' as const }, ...others] };
  expect((await checkRows(byEmail, targets, [rowOf(2, 'Ada', 'ada@example.com', '-')]))[0]?.faults).toEqual([]);
});

test('a row with the values of an earlier one is a duplicate of it', async () => {
  const cells = ['Ada', 'ada@example.com', '1', ''];
  const rows = [rowOf(2, ...cells, 'x'), rowOf(3, 'Grace', 'grace@example.com', '1'), rowOf(4, ...cells, 'y')];
  const checked = await checkRows(template, targets, rows);
  expect(checked.map(({ duplicateOf }) => duplicateOf)).toEqual([null, null, 2]);
});

test('10,000 rows, all with faults, are checked in bounded time, and others get their turn meanwhile', async () => {
  const rows = Array.from({ length: bulkRowsMax }, (_, index) =>
    rowOf(index + 2, '\u202eeman\u0301', `ada${index}@`, '', '\u{e0001}'.repeat(201)),
  );
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const before = process.cpuUsage();
  const checked = await checkRows(template, targets, rows);
  clearInterval(timer);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  expect(turns).toBeGreaterThan(5);
  expect(checked).toHaveLength(bulkRowsMax);
  expect(checked.every(({ faults }) => faults.length === 3)).toBe(true);
});

test('10,000 rows are checked in bounded time against a template with many labelled fields', async () => {
  const fields = Array.from({ length: 500 }, (_, position) => ({
    ...{ position, type: 'text', label: `Clause ${position % 250} of the añejo`, preset: '-', text_format: null },
  })) as unknown as Field[];
  const rows = Array.from({ length: bulkRowsMax }, (_, index) => rowOf(index + 2, 'Ada', `a${index}@b.co`, '600', '1'));
  const before = process.cpuUsage();
  const valued = ['a name', 'a email', 'a phone', 'value clause 7 of the anejo'];
  const checked = await checkRows({ ...template, fields }, valued, rows);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  expect(checked.every(({ faults }) => faults.length === 0)).toBe(true);
  expect([...presetsOfRow({ ...template, fields }, valued, ['Ada', 'a@b.co', '600', '1']).keys()]).toEqual([7, 257]);
});

test.each(['approver', 'cc'])('a signer who is called %s in the template stays a signer', (name) => {
  const [tenant, ...others] = template.recipients as [Recipient, ...Recipient[]];
  const named = { ...template, recipients: [{ ...tenant, display_name: name }, ...others] };
  expect(bodyOfRow(named, targets, ['Ada', 'ada@example.com']).recipients?.[0]).toMatchObject({ name: 'Ada' });
  expect(bodyOfRow(named, targets, ['Ada', 'ada@example.com']).recipients?.[0]?.role ?? null).toBeNull();
});
