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
    is_private: false,
  });
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
  ['an unknown type', [{ ...field, type: 'stamp' }], 'fields[0].type must be one of signature'],
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
  ['a label that PostgreSQL cannot store', [{ ...field, label: 'a\u0000b' }], 'fields[0].label must be'],
])('refuses %s', (_name, input, reason) => {
  expect(() => readPlacedFields(input, file, recipients)).toThrow(reason);
});
