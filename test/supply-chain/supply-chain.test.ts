import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { committedChecksums, installedChecksums } from './binaries.ts';
import { licencesFile, renderLicences } from './licences.ts';

test('every production dependency has an accepted licence, and the list is up to date (npm run licences)', () => {
  expect(readFileSync(licencesFile, 'utf8')).toBe(renderLicences());
});

test('every installed binary has the committed checksum (npm run checksums)', () => {
  const [installed, committed] = [installedChecksums(), committedChecksums()];
  expect(Object.keys(installed)).not.toEqual([]);
  for (const [id, files] of Object.entries(installed)) {
    // A list made on another platform lacks the packages of this one.
    if (committed[id] === undefined && /(darwin|win32|windows|arm64|musl)/.test(id)) continue;
    expect({ [id]: files }).toEqual({ [id]: committed[id] });
  }
});
