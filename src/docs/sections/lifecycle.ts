import type { DocumentStatus } from '../../documents/document.ts';
import type { AuthLevel, Channel, PartyKind, RecipientStatus } from '../../documents/recipient.ts';
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

const authLevelMeanings: Record<AuthLevel, string> = {
  l0_email_link: 'Nothing but the personal link.',
  l1_email_sms_otp:
    'The link, and a code that is sent by SMS when the recipient asks for it. Not for a `cc` or an `approver`.',
  l0_account_session:
    'The link, and being signed in to the console with the e-mail address of the recipient. One who has no account gets a one-time link by e-mail from the signing page, which proves the address. With a test key no e-mail leaves, and the page opens without it. A recipient without an `email` cannot sign at this level.',
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
  'A document made through the API has no file: its signers see a page made of its title, type, parties and message, and the completed PDF is made from that. Before it is sent, a PDF can be attached to it and fields placed on its pages, in the console or with the command line: then that PDF is what they see, sign and get completed.',
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
)}
<h3 id="reminders">Reminders</h3>
${bullets(
  'A recipient who was asked and has neither signed nor declined gets a reminder by its channel: 3 days after the request left, then every 7 days, five at most. Whoever runs the service can choose other days, or none.',
  'Reminders stop when the recipient has signed or approved, and when the document is declined, voided or expired.',
  'Each brings a fresh link; the links sent before go on working.',
  'A `cc` gets none, nor does a recipient whose `channel` is `in_person`, nor anybody of a document sent with a test key.',
  'A reminder changes no field of the document or the recipient, and fires no webhook.',
)}
<h3 id="authentication-levels">How recipients prove who they are</h3>
${table(
  'Authentication levels',
  ['Level', 'What the signing page asks for'],
  Object.entries(authLevelMeanings).map(([level, meaning]) => [code(level), prose(meaning)]),
)}
${bullets(
  'A code has six digits. It goes to the `phone` of the recipient, also when the `channel` is `email` or `in_person`, is valid for 10 minutes and for 5 tries. A recipient can get 5 codes an hour.',
  'Until a code was given the page shows the title, who sent the document, and the last two digits of the number: neither the message nor the parties, and no PDF. `viewed_at` is set after it.',
  'A browser that gave a code need not give another for 30 minutes after it was last used; any other browser with the same link has to. The completed copy is protected in the same way.',
  'A document sent with a test key sends no SMS: its page shows the code.',
  'The certificate of completion says for each recipient how it proved who it is, and which version of the disclosure about signing electronically it accepted.',
)}
<h3 id="hidden-documents">Hidden documents</h3>
${bullets(
  'Sensitive papers (pay, tax, identity numbers, bank details, health and others) appear in no list and answer document_not_found to every key, also when they are to be sent. A document becomes one when an owner or admin restricts it, or when the account restricts its type; no type is restricted by default.',
  'Templates appear in no list and answer document_not_found.',
  'A document that mirrors another cannot be sent until the other is `completed`: pay_app_unsigned.',
)}
`,
};
