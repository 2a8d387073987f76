import { expect, test } from 'vitest';
import { parseDriveFile } from './drive-file.ts';

const revisionOf = (described: object) => parseDriveFile(JSON.stringify(described))?.revision;

test('a file is told again by its head revision and its bytes, a native document by its version', () => {
  const described = { headRevisionId: 'r1', version: '7', sha256Checksum: 'ab' };
  expect(revisionOf({ mimeType: 'application/pdf', ...described })).toBe('["r1","ab"]');
  expect(revisionOf({ mimeType: 'application/vnd.google-apps.document', ...described })).toBe('["7"]');
  expect(revisionOf({ mimeType: 'application/pdf' })).toBe(null);
});

test('a revision that no index can hold tells nothing: the bytes decide', () => {
  expect(revisionOf({ mimeType: 'application/pdf', headRevisionId: 'r'.repeat(1001) })).toBe(null);
});
