import { expect, test } from 'vitest';
import { shownPath } from './shown-path.ts';

const id = '019cd79e-6d10-71a2-9cec-501c71f6252c';

test.each([
  ['/api/v1/documents', '/documents'],
  [`/api/v1/documents/${id}/send`, `/documents/${id}/send`],
  ['/api/v1/documents?access_token=secret&status=sent', '/documents'],
  [`/api/v1/svc_live_${'a'.repeat(38)}/documents`, '/…/documents'],
  ['/api/v1/documents/whsec_%20x', '/documents/…'],
  ['/api/v1/Bearer x', '/…'],
  ['/api/v1', ''],
])('%s is shown as %s', (url, shown) => {
  expect(shownPath(url)).toBe(shown);
});

test('a long path is cut', () => {
  const shown = shownPath(`/api/v1${'/part'.repeat(500)}`);
  expect(shown).toHaveLength(200);
  expect(shown.endsWith('…')).toBe(true);
});
