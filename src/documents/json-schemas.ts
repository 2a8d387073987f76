import { type TSchema, Type } from 'typebox';
import { documentTypes } from '../document-types.ts';
import { documentStatuses } from './document.ts';
import type { DocumentJson, RecipientJson } from './json.ts';
import { authLevels, channels } from './recipient.ts';

const nullable = (more: { format?: string; description?: string } = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...more });
const nullableTime = (description?: string) =>
  nullable({ format: 'date-time', ...(description === undefined ? {} : { description }) });
const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });
const uuid = Type.String({ format: 'uuid' });
const dateTime = Type.String({ format: 'date-time' });

/** The Document of the API. */
export const documentSchema = Type.Object({
  object: Type.Literal('document'),
  id: uuid,
  type: oneOf(documentTypes),
  status: oneOf(documentStatuses),
  title: Type.String(),
  description: nullable(),
  primary_language: oneOf(['en', 'es']),
  secondary_language: nullable(),
  recipient_count: Type.Integer({ minimum: 0 }),
  sent_at: nullableTime(),
  completed_at: nullableTime('Set when every signer has signed and every approver has approved.'),
  voided_at: nullableTime(),
  voided_reason: nullable(),
  expires_at: nullableTime(
    'null until sent, then sent_at plus content.expires_in_days; without expires_in_days it stays null.',
  ),
  created_at: dateTime,
  updated_at: dateTime,
} satisfies Record<keyof DocumentJson, TSchema>);

/** The Recipient of the API. It never includes a signing link or a secret. */
export const recipientSchema = Type.Object({
  object: Type.Literal('recipient'),
  id: uuid,
  document_id: uuid,
  display_name: Type.String(),
  email: nullable(),
  phone: nullable(),
  party_role: nullable(),
  channel: oneOf(channels),
  sign_order: Type.Integer({ minimum: 1 }),
  auth_level: oneOf(authLevels),
  status: Type.Unsafe<string>({
    type: 'string',
    enum: ['pending', 'sent', 'viewed', 'signed', 'declined'],
    description: 'pending: its turn has not come. A cc goes from pending to sent when the completed copy goes out.',
  }),
  sent_at: nullableTime("When this recipient's request left."),
  viewed_at: nullableTime(),
  signed_at: nullableTime('For an approver, the time of approval.'),
  declined_at: nullableTime(),
  declined_reason: nullable(),
} satisfies Record<keyof RecipientJson, TSchema>);
