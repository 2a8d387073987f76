import type { DocumentStatus } from '../../documents/document.ts';
import type { AuthLevel, Channel, RecipientKind, RecipientStatus } from '../../documents/recipient.ts';
import { html } from '../../http/html.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';

const documentStates: Record<DocumentStatus, string> = {
  draft: 'Created. Nothing has been delivered.',
  in_review:
    'A draft that a member of the company submitted for internal review. It can be sent; an owner or admin may return it to `draft`.',
  sent: 'Signature requests went out; nobody has signed yet.',
  partially_signed: 'At least one signer has signed, and at least one has not.',
  completed: 'Every signer has signed and every approver has approved. `completed_at` is set.',
  declined: 'A recipient refused to sign. The others can no longer sign.',
  expired: 'Its `expires_at` passed before everyone had signed.',
  voided: 'The sender cancelled it. `voided_at` and `voided_reason` are set.',
};

const recipientStates: Record<RecipientStatus, string> = {
  pending: 'It is not yet the turn of this recipient.',
  sent: 'The signature request was sent, or it is the turn of this recipient to sign in person.',
  viewed: 'The recipient opened the document in a browser.',
  signed: 'The recipient signed or approved.',
  declined: 'The recipient refused. `declined_reason` gives the reason, in 1 to 1000 characters.',
};

const roles: Record<RecipientKind, string> = {
  signer: 'Signs. Any `role` except the two below.',
  approver: 'Approves instead of signing; `signed_at` is the time of approval. The document must be sequential.',
  cc: 'Only gets a copy. Changes from `pending` to `sent` when the completed copy is sent. Nobody waits for it.',
};

const channelMeanings: Record<Channel, string> = {
  email: 'The signing link is sent to `email`.',
  sms: 'The signing link is sent to `phone`. Only the length of a phone number is checked.',
  in_person: 'No message is sent. A member of the sending company opens the signing page and hands over the device.',
};

const authLevelMeanings: Record<AuthLevel, string> = {
  l0_email_link: 'The personal link only.',
  l1_email_sms_otp:
    'The link, and a code that is sent by SMS when the recipient asks for it. Not for a `cc` or an `approver`.',
  l0_account_session:
    'The link, and being signed in to the console with the e-mail address of the recipient. A recipient without an account gets a one-time link by e-mail from the signing page, which proves the address. With a test key no e-mail is sent, and the page opens without it. A recipient without an `email` cannot sign at this level.',
};

export const lifecycle: Section = {
  id: 'lifecycle',
  title: 'From draft to completed',
  entries: [
    { id: 'document-states', title: 'Document states' },
    { id: 'recipient-states', title: 'Recipient states' },
    { id: 'signing-order', title: 'Roles and order' },
    { id: 'reminders', title: 'Reminders' },
    { id: 'authentication-levels', title: 'How recipients prove who they are' },
    { id: 'hidden-documents', title: 'Hidden documents' },
  ],
  body: html`
<h3 id="document-states">Document states</h3>
${table(
  'Document states',
  ['Status', 'Meaning'],
  Object.entries(documentStates).map(([status, meaning]) => [code(status), prose(meaning)]),
)}
${bullets(
  'A document made through the API has no file. Its signers see a page with its title, type, recipients and message, and the completed PDF is made from that page. Before it is sent, a PDF can be attached and fields placed on it, in the console or with the command line. The recipients then see, sign and receive that PDF.',
  'After the last signature the PDF is made and sealed with a digital signature, and every recipient gets a copy.',
  '`expires_at` is `null` until the document is sent, then `sent_at` plus `expires_in_days`; without `expires_in_days` it stays `null`. Signing after this time is refused. The status changes within a minute.',
  'A sender can void a document in any status except `voided`. Its signing links then show that it was voided.',
  'Sending a document a second time without an `Idempotency-Key` answers document_not_sendable.',
)}
<h3 id="recipient-states">Recipient states</h3>
${table(
  'Recipient states',
  ['Status', 'Meaning'],
  Object.entries(recipientStates).map(([status, meaning]) => [code(status), prose(meaning)]),
)}
${paragraphs('`sent_at` is the time when the request to that recipient was sent. `viewed_at` is set when a person opens the page. A mail scanner that fetches the link does not count.')}
${table(
  'Channels',
  ['Channel', 'How the request arrives'],
  Object.entries(channelMeanings).map(([channel, meaning]) => [code(channel), prose(meaning)]),
)}
<h3 id="signing-order">Roles and order</h3>
${table(
  'Roles of recipients',
  ['Kind', 'What it does'],
  Object.entries(roles).map(([kind, meaning]) => [kind, prose(meaning)]),
)}
${bullets(
  'Parallel, the default: all requests are sent when the document is sent.',
  'Sequential: only the recipients with the lowest unfinished `sign_order` get a request. Recipients with the same number sign in parallel.',
)}
<h3 id="reminders">Reminders</h3>
${bullets(
  'A recipient who got a request and has neither signed nor declined gets reminders by the same channel: 3 days after the request, then every 7 days, five at most. The operator of the server and the company can choose other days, or none.',
  'Reminders stop when the recipient has signed or approved, or when the document is declined, voided or expired.',
  'Each reminder has a new link. Earlier links keep working.',
  'No reminders go to a `cc`, to a recipient whose `channel` is `in_person`, or for a document sent with a test key.',
  'A reminder changes no field of the document or the recipient, and fires no webhook.',
)}
<h3 id="authentication-levels">How recipients prove who they are</h3>
${table(
  'Authentication levels',
  ['Level', 'What the signing page asks for'],
  Object.entries(authLevelMeanings).map(([level, meaning]) => [code(level), prose(meaning)]),
)}
${bullets(
  'A code has six digits. It is sent to the `phone` of the recipient, also when the `channel` is `email` or `in_person`. It is valid for 10 minutes and 5 attempts. A recipient can get 5 codes an hour.',
  'Before the code is entered, the page shows only the title, the sender and the last two digits of the phone number. It does not show the message, the recipients or the PDF. `viewed_at` is set after the code.',
  'A browser needs no new code until 30 minutes after its last use. Any other browser with the same link needs one. The completed copy is protected in the same way.',
  'A document sent with a test key sends no SMS: its page shows the code.',
  'For each recipient, the certificate of completion shows the authentication level and the accepted version of the electronic signature disclosure.',
)}
<h3 id="hidden-documents">Hidden documents</h3>
${bullets(
  'Restricted documents (pay, tax, identity numbers, bank details, health and others) appear in no list and answer document_not_found to every key, also to a send. An owner or admin restricts a single document, or the account restricts a type: documents that are created with it from then on are restricted. No type is restricted by default.',
  'Templates also appear in no list and answer document_not_found.',
  'A document that mirrors another one cannot be sent until that one is `completed`: pay_app_unsigned.',
)}
`,
};
