import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { disclosures, disclosureVersion } from './disclosure.ts';

test('a version names one text: a changed text needs a new version here', () => {
  const digests = [...disclosures].map(([version, texts]) => {
    return [version, createHash('sha256').update(JSON.stringify(texts)).digest('hex')];
  });
  expect(Object.fromEntries(digests)).toEqual({
    '2026-11': '814f23ba31bc96bac87764f91d7684a7ed25c2dd51a6f155641827c0c197aa9d',
    '2026-11-26': 'c3241febae1ef16f90af7740919d74e95ffc02a3ec2a5fbb38e4232f9a43df3a',
  });
  expect([...disclosures.keys()].at(-1)).toBe(disclosureVersion);
});

test('both languages say the same number of things', () => {
  for (const { en, es } of disclosures.values()) expect(es.points).toHaveLength(en.points.length);
});
