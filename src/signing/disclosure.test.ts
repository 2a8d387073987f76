import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { disclosures, disclosureVersion, disclosureVersions } from './disclosure.ts';

test('a version names one text: a changed text needs a new version here', () => {
  const digest = createHash('sha256').update(JSON.stringify(disclosures)).digest('hex');
  expect({ [disclosureVersion]: digest }).toEqual({
    '2026-11': '814f23ba31bc96bac87764f91d7684a7ed25c2dd51a6f155641827c0c197aa9d',
  });
  expect(disclosureVersions.has(disclosureVersion)).toBe(true);
});

test('both languages say the same number of things', () => {
  expect(disclosures.es.points).toHaveLength(disclosures.en.points.length);
});
