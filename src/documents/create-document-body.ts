import { type Static, Type } from 'typebox';
import { documentTypes } from '../document-types.ts';
import type { ErrorCode } from '../errors.ts';
import { exactPattern } from '../http/exact-pattern.ts';
import { bodyValidator, errorCodeKeyword } from '../http/validate-body.ts';
import { emailLengthMax, plausibleEmail } from '../platform/email-address.ts';
import { authLevels, channels, roleLengthMax } from './recipient.ts';
import type { ReminderPlan } from './reminder-plan.ts';
import { messageLengthMax, phoneLengthMax, recipientNameLengthMax, titleLengthMax } from './text-lengths.ts';

/** The body of POST /documents. Each property has its rule, its error code and its description for the API reference. */

/** Matches text that PostgreSQL can store: no U+0000 and no lone surrogate. */
const storable = '[^\\u0000\\ud800-\\udfff]*$';
/** Matches storable text that is not only white space. Other invisible characters are allowed, such as U+200B and U+FEFF. */
const notBlank = exactPattern(`^(?=[\\s\\S]*\\P{White_Space})${storable}`, '[^ \\t\\r\\n]');
/** Describes the `storable` rule in words, because the API description shows no pattern for it. */
const noNull = 'No U+0000 and no lone surrogate.';

const coded = (code: ErrorCode, description: string) => ({ [errorCodeKeyword]: code, description });
const text = (lengthMax: number, code: ErrorCode, description: string) =>
  Type.String({
    maxLength: lengthMax,
    ...exactPattern(`^${storable}`, null),
    ...coded(code, `${description} ${noNull}`),
  });
const oneOf = <const Value extends string>(values: readonly Value[], code: ErrorCode, description: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...coded(code, description) });

const recipient = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: recipientNameLengthMax,
      ...notBlank,
      ...coded('invalid_recipient_name', `Shown to every recipient. White space alone is refused. ${noNull}`),
    }),
    email: Type.Optional(
      Type.String({
        maxLength: emailLengthMax,
        ...exactPattern(plausibleEmail, '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$'),
        ...coded(
          'invalid_recipient_email',
          'Required when channel is email (missing_recipient_email). One @ and a host name with a dot behind it; no white space, control characters or any of <>(),;:"\\; no part of the host name begins or ends with a hyphen.',
        ),
      }),
    ),
    phone: Type.Optional(
      text(
        phoneLengthMax,
        'invalid_recipient_phone',
        'Required when channel is sms or auth_level is l1_email_sms_otp (missing_recipient_phone). No rule but its length.',
      ),
    ),
    role: Type.Optional(
      text(
        roleLengthMax,
        'invalid_recipient_role',
        'cc only gets a copy; approver approves instead of signing. Default: none.',
      ),
    ),
    channel: Type.Optional(
      oneOf(channels, 'invalid_channel', 'How the request reaches the recipient. Default: email.'),
    ),
    sign_order: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        ...coded('invalid_sign_order', 'Turn in a sequential document. Default: the position in the array, from 1.'),
      }),
    ),
    auth_level: Type.Optional(
      oneOf(
        authLevels,
        'invalid_auth_level',
        'How the signer proves who they are. l1_email_sms_otp is not for cc and approver. Default: l0_email_link.',
      ),
    ),
  },
  coded('invalid_body', 'A recipient of the document.'),
);

const content = Type.Object(
  {
    message: Type.Optional(
      text(messageLengthMax, 'invalid_content_message', "The sender's message to the recipients."),
    ),
    sign_order_mode: Type.Optional(
      oneOf(
        ['sequential', 'parallel'],
        'invalid_sign_order_mode',
        'Whether recipients sign in turn. Default: parallel.',
      ),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        ...coded('invalid_expires_in_days', 'expires_at becomes sent_at plus this many days. Default: never.'),
      }),
    ),
  },
  coded('invalid_body', 'Metadata. Unknown properties are dropped silently.'),
);

export const createDocumentBody = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: titleLengthMax,
      ...notBlank,
      ...coded('invalid_title', `Lengths count Unicode code points. White space alone is refused. ${noNull}`),
    }),
    type: Type.Optional(oneOf(documentTypes, 'invalid_type', 'Default: form.')),
    primary_language: Type.Optional(
      oneOf(
        ['en', 'es'],
        'invalid_primary_language',
        'The language of the signing page and the messages. Default: en.',
      ),
    ),
    recipients: Type.Array(recipient, { minItems: 1, maxItems: 20, ...coded('invalid_recipients', 'The recipients.') }),
    content: Type.Optional(content),
  },
  coded('invalid_body', 'A null for an optional property means it was left out. Unknown properties are ignored.'),
);

/** The name and contact details of a recipient. */
const person = Type.Pick(recipient, ['name', 'email', 'phone']);

export type PersonBody = Static<typeof person>;

export const readPerson = bodyValidator(person);

/** Reminders are not part of the API: its documents have those of their company. */
export type CreateDocumentBody = Static<typeof createDocumentBody> & { reminders?: ReminderPlan };

export const readCreateDocumentBody = bodyValidator(createDocumentBody);

/**
 * The new state of an unsent document. Recipients that it already has are identified by `id`. The list of recipients may
 * be empty.
 */
const editDocumentBody = Type.Object(
  {
    ...createDocumentBody.properties,
    recipients: Type.Array(
      Type.Object(
        {
          id: Type.Optional(
            Type.String({ maxLength: 36, ...coded('invalid_recipients', 'The id of a recipient that stays.') }),
          ),
          ...recipient.properties,
        },
        coded('invalid_body', 'A recipient of the document.'),
      ),
      { maxItems: 20, ...coded('invalid_recipients', 'The recipients.') },
    ),
  },
  coded('invalid_body', 'The same as for POST /documents.'),
);

/** Without `reminders`, they stay as they are. */
export type EditDocumentBody = Static<typeof editDocumentBody> & { reminders?: ReminderPlan };

export const readEditDocumentBody = bodyValidator(editDocumentBody);
