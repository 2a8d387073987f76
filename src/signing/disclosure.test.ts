import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { consentStatement, currentDisclosure, disclosureSha256, disclosures, disclosureVersion } from './disclosure.ts';

test('a version names one text: a changed text needs a new version here', () => {
  const digests = [...disclosures].map(([version, texts]) => {
    return [version, createHash('sha256').update(JSON.stringify(texts)).digest('hex')];
  });
  expect(Object.fromEntries(digests)).toEqual({
    '2026-11': '814f23ba31bc96bac87764f91d7684a7ed25c2dd51a6f155641827c0c197aa9d',
    '2026-11-26': 'c3241febae1ef16f90af7740919d74e95ffc02a3ec2a5fbb38e4232f9a43df3a',
    '2026-11-27': '076c39bfa1846b377caf35f0a47ccafd9bea0047ad6e1469b0936f6fb2b336cb',
  });
  expect([...disclosures.keys()].at(-1)).toBe(disclosureVersion);
});

test('the hash covers the heading, each point, what the company says about printed copies, and the sentence of a box', () => {
  const terms = { copies_contact: 'records@acme.example', copies_cost: '$5 a page' };
  const { heading, points } = currentDisclosure('en', terms);
  expect(points.slice(-2)).toEqual([
    'Contact for printed copies: records@acme.example',
    'Cost of a printed copy: $5 a page',
  ]);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const text = [heading, ...points].join('\n');
  expect(disclosureSha256({ heading, points }, 'en', 'signing')).toBe(hash(text));
  expect(disclosureSha256({ heading, points }, 'en', 'ticked')).toBe(hash(`${text}\n${consentStatement.en}`));
  // A changed sentence or line needs a new version, so that sealing finds the text that was accepted.
  const shown = JSON.stringify([
    consentStatement,
    ...(['en', 'es'] as const).map((each) => currentDisclosure(each, terms)),
  ]);
  expect(hash(shown)).toBe('8ce5c86358bddc88a4e38db688a333ef7e243104a78ebef11f23e7e95d697193');
});

test('both languages say the same number of things', () => {
  for (const { en, es } of disclosures.values()) expect(es.points).toHaveLength(en.points.length);
});
