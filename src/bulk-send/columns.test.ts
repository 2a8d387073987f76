import { expect, test } from 'vitest';
import type { Recipient } from '../documents/recipient.ts';
import { findColumns, templateColumns } from './columns.ts';

const tenant = {
  ...{ id: 'a', display_name: 'Tenant', email: null, phone: null, party_role: null },
  ...{ channel: 'email', auth_level: 'l0_email_link' },
} as Recipient;

test('a field that is called like another column has a column of its own', () => {
  const columns = templateColumns(
    [tenant],
    [
      { label: 'Title', preset: 'Clerk' },
      { label: 'E-Mail', preset: 'office@example.com' },
      { label: 'Rent', preset: '950' },
    ],
  );
  const sample = columns.filter(({ isSampled }) => isSampled);
  for (const language of ['en', 'es'] as const) {
    const header = sample.map(({ label }) => label[language]);
    expect(new Set(header).size).toBe(header.length);
    const { targets, faults } = findColumns(header, columns);
    expect(faults).toEqual([]);
    expect(targets).toEqual(sample.map(({ target }) => target));
  }
  expect(findColumns(['name', 'email', 'Title', 'Field: Title', 'campo: e-mail', 'RENT'], columns).targets).toEqual([
    ...['a name', 'a email', 'title', 'value title', 'value e mail', 'value rent'],
  ]);
});

test('a field that is called like a column of the file of unsent rows is not filled in by that column', () => {
  const columns = templateColumns(
    [tenant],
    [
      { label: 'Problem', preset: 'None' },
      { label: 'fila', preset: '7' },
    ],
  );
  const sample = columns.filter(({ isSampled }) => isSampled).map(({ label }) => label.en);
  expect(sample).toEqual(['Tenant name', 'Tenant email', 'Title', 'Field: Problem', 'Field: fila']);
  const targets = ['a name', 'a email', 'title', 'value problem', 'value fila'];
  // Files of unsent rows, also of those that were corrected before.
  for (const heads of [
    ['Row', 'Problem'],
    ['Fila', 'Problema'],
    [...['Fila', 'Problema'], 'Row', 'Problem'],
  ]) {
    expect(findColumns([...heads, ...sample], columns)).toEqual({
      targets: [...heads.map(() => ''), ...targets],
      faults: [],
    });
  }
  // Without them, the label alone is enough.
  expect(findColumns(['name', 'email', 'Fila', 'Problem'], columns).targets).toEqual([
    ...['a name', 'a email', 'value fila', 'value problem'],
  ]);
});

test('a value that a recipient of the template lacks has a column that each row fills in', () => {
  const office = { ...tenant, id: 'b', display_name: 'Office', email: 'office@example.com' };
  const columns = templateColumns([tenant, { ...office, auth_level: 'l1_email_sms_otp' }]);
  const sample = columns.filter(({ isSampled }) => isSampled).map(({ label }) => label.en);
  expect(sample).toEqual(['Tenant name', 'Tenant email', 'Office phone', 'Title']);
  const missing = { code: 'missing_column', label: { en: 'Office phone', es: 'Office teléfono' } };
  expect(findColumns(['Name', 'Email'], columns).faults).toEqual([missing]);
});
