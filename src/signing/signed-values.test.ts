import { expect, test } from 'vitest';
import type { Actor } from '../actor.ts';
import type { Attachment } from '../documents/attachment.ts';
import type { ChainedEntry } from '../documents/audit.ts';
import { valuesSha256 } from '../documents/field.ts';
import { signedValues } from './signed-values.ts';

const values = [{ id: 'field', value: 'Blue door' }];
const attachment = {
  fields: [{ id: 'field', recipient_id: 'ada', value: 'Blue door', filled_at: '2026-03-14T12:00:00Z' }],
} as unknown as Attachment;

/** An audit trail in which `actor` signed these values. */
function signedBy(actor: Actor, signed = values): ChainedEntry[] {
  return [{ actor, action: 'signed', detail: { fields_sha256: valuesSha256(signed) } } as unknown as ChainedEntry];
}

test('values belong to the recipient who signed them', () => {
  expect(signedValues(attachment, signedBy('recipient:ada'))).toEqual([{ recipient_id: 'ada', values }]);
});

test.each<[string, Actor]>([
  ['another recipient', 'recipient:grace'],
  ['a member whose id is that of the recipient', 'person:ada'],
  ['an API key whose id is that of the recipient', 'api_key:ada'],
])('values are refused that were signed by %s', (_, actor) => {
  expect(() => signedValues(attachment, signedBy(actor))).toThrow('is not what they signed');
});

test('other values than those signed are refused', () => {
  const others = [{ id: 'field', value: 'Red door' }];
  expect(() => signedValues(attachment, signedBy('recipient:ada', others))).toThrow('is not what they signed');
});
