import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillText, findUnknownVariable, isBrandSubject, isIntroduction } from './email-texts.ts';

const values = {
  recipient_name: 'Ada',
  document_title: 'Lease {{company_name}} $& <b>',
  sender_name: 'Acme Sales',
  company_name: 'Acme',
};

test('variables are replaced once, and values are never searched', () => {
  expect(fillText('{{recipient_name}}, {{ document_title }}: {{company_name}}', values)).toBe(
    'Ada, Lease {{company_name}} $& <b>: Acme',
  );
  expect(fillText('{{sender_name}}{{sender_name}}', values)).toBe('Acme SalesAcme Sales');
});

test.each([
  ['Hello {{recipient_name}}', null],
  ['a { b } c {x}', null],
  ['{{name}}', '{{name}}'],
  ['{{recipient_name}} {{Recipient_name}}', '{{Recipient_name}}'],
  ['{{constructor}}', '{{constructor}}'],
  ['{{__proto__}}', '{{__proto__}}'],
  ['{{}}', '{{}}'],
  ['{{#if company_name}}', '{{#if company_name}}'],
  ['{{company_name', '{{company_name'],
  ['company_name}}', '}}'],
  ['{{{company_name}}}', null],
  ['{{ {{company_name}} }}', '{{   '],
  ['<%= company_name %> $(company_name)', null],
])('in %j the first unknown variable is %j', (text, unknown) => {
  expect(findUnknownVariable(text)).toBe(unknown);
});

test('a text without unknown variables has no variable left once it is filled in', () => {
  const plain = { recipient_name: 'a', document_title: 'b', sender_name: 'c', company_name: 'd' };
  const parts = fc.constantFrom('{{', '}}', '{', '}', 'recipient_name', ' ', 'x', '{{company_name}}');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (written) => {
      const text = written.join('');
      if (findUnknownVariable(text) === null) expect(fillText(text, plain)).not.toMatch(/\{\{[^{}]*\}\}/);
    }),
    { numRuns: 3000 },
  );
});

test('lengths count characters, and control characters are refused', () => {
  expect([isBrandSubject('😀'.repeat(150)), isBrandSubject('😀'.repeat(151))]).toEqual([true, false]);
  expect([isIntroduction('😀'.repeat(600)), isIntroduction('😀'.repeat(601))]).toEqual([true, false]);
  expect([isIntroduction('a\nb'), isBrandSubject('a\nb'), isBrandSubject('a\r\nBcc: b')]).toEqual([true, false, false]);
  for (const text of ['\u202Egnp', '\u0000', '\ud800', 'a\u2028b', 'a\tb']) {
    expect([isBrandSubject(text), isIntroduction(text)], JSON.stringify(text)).toEqual([false, false]);
  }
});
