import type { DocumentStatus } from '../../documents/document.ts';
import type { Channel, PartyKind, RecipientStatus } from '../../documents/recipient.ts';
import { html } from '../../http/html.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';

const documentStates: Record<DocumentStatus, string> = {
  draft: 'Created. Nothing has been delivered.',
  in_review: 'A draft that a member of the company submitted for internal review. It can be sent.',
  sent: 'Signature requests went out; nobody has signed yet.',
  partially_signed: 'At least one signer has signed, and at least one has not.',
  completed: 'Every signer has signed and every approver has approved. `completed_at` is set.',
  declined: 'A recipient refused to sign. The document is finished for everybody.',
  expired: 'Its `expires_at` passed while signatures were missing.',
  voided: 'The sender cancelled it. `voided_at` and `voided_reason` are set.',
};

const recipientStates: Record<RecipientStatus, string> = {
  pending: 'Its turn has not come.',
  sent: 'Its signature request left, or its turn to sign in person has come.',
  viewed: 'It opened the document in a browser.',
  signed: 'It signed, or approved.',
  declined: 'It refused. `declined_reason` says why, in 1 to 1000 characters.',
};

const roles: Record<PartyKind, string> = {
  signer: 'Any `role` but the two below. Signs.',
  approver: 'Approves instead of signing; `signed_at` is then the time of approval. The document must be sequential.',
  cc: 'Only gets a copy: goes from `pending` to `sent` when the completed copy goes out, and holds nobody up.',
};

const channelMeanings: Record<Channel, string> = {
  email: 'The signing link is sent to `email`.',
  sms: 'The signing link is sent to `phone`. A phone number has no rule but its length.',
  in_person: 'No message leaves: somebody of the sending company opens the signing page and hands over the device.',
};

export const lifecycle: Section = {
  id: 'lifecycle',
  title: 'From draft to completed',
  entries: [
    { id: 'document-states', title: 'Document states' },
    { id: 'recipient-states', title: 'Recipient states' },
    { id: 'signing-order', title: 'Roles and order' },
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
  'A document made through the API has no file: its signers see a page made of its title, type, parties and message, and the completed PDF is made from that.',
  'When the last one has signed, the PDF is made, sealed with a digital signature, and a copy goes to every recipient.',
  '`expires_at` is `null` until the document is sent, then `sent_at` plus `expires_in_days`; without `expires_in_days` it stays `null`. After it signing is refused at once; the status follows within a minute.',
  'A sender can void a document in every status but `voided`. Open signing links then say so.',
  'Sending a second time without an `Idempotency-Key` is document_not_sendable.',
)}
<h3 id="recipient-states">Recipient states</h3>
${table(
  'Recipient states',
  ['Status', 'Meaning'],
  Object.entries(recipientStates).map(([status, meaning]) => [code(status), prose(meaning)]),
)}
${paragraphs('`sent_at` is the time when the request of that recipient left. `viewed_at` is set by a person who opens the page: a mail scanner that fetches the link does not count.')}
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
  'Parallel, the default: all requests leave when the document is sent.',
  'Sequential: only those with the lowest `sign_order` that is not done are asked. Recipients that share a number go together.',
  'A recipient with the `auth_level` `l1_email_sms_otp` proves by an SMS code who it is, one with `l0_account_session` by signing in. Both are accepted and kept; the signing page offers neither yet, and such a recipient cannot sign before a later release brings them. Use `l0_email_link` until then.',
)}
<h3 id="hidden-documents">Hidden documents</h3>
${bullets(
  'Sensitive papers (pay, tax, identity numbers, bank details, health and others) appear in no list and answer document_not_found to every key, also when they are to be sent. A document becomes one when an owner or admin restricts it, or when the account restricts its type; no type is restricted by default.',
  'Templates appear in no list and answer document_not_found.',
  'A document that mirrors another cannot be sent until the other is `completed`: pay_app_unsigned.',
)}
`,
};
