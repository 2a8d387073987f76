import type { FindingDetail, FindingId, Verdict } from './findings.ts';

/** A sentence for each finding. Names in a detail are strangers' text: escaped or made safe where they are shown. */
const findings: Record<FindingId, (detail: FindingDetail) => string> = {
  is_pdf: () => 'The file is a PDF.',
  recorded_here: () => 'This service sealed this file: its SHA-256 is the one that was recorded then.',
  whole_file_covered: ({ bytes }) => `The seal covers the whole file, all ${bytes} bytes of it.`,
  bytes_unchanged: () => 'Not one byte that the seal covers was changed.',
  signature_holds: () => 'The digital signature holds.',
  certificate_bound: () => 'The signature names its certificate, so no other can be put in its place.',
  sealed_here: ({ subject, fingerprint }) => `Sealed with the certificate of this service: ${subject}, ${fingerprint}.`,
  certificate_in_validity: () => 'The certificate was valid when the seal was made.',
  time_stamped: ({ at, authority }) =>
    `A time-stamp authority (${authority}) attests that the seal was there on ${at}.`,
  audit_trail_intact: ({ entries, hash }) =>
    `The audit trail inside is complete: ${entries} entries, each chained to the one before, the last ${hash}.`,
  content_as_sent: () => 'What was signed is what was sent: the hash recorded then is that of the content inside.',
  changes_forbidden: () => 'The seal forbids every later change: a PDF reader that checks signatures reports any.',
  file_as_attached: ({ file }) => `The attached file (${file}) is inside, byte for byte as it was sent.`,
  earlier_signatures_hold: ({ signatures }) =>
    `The file bore ${signatures} digital ${signatures === 1 ? 'signature' : 'signatures'} before it was sealed: what they cover is unchanged.`,
  values_as_signed: ({ fields }) =>
    `What was filled in (${fields} ${fields === 1 ? 'field' : 'fields'}) is what each party signed: its hash in the audit trail is that of the values inside.`,

  no_time_stamp: () => 'There is no time-stamp: the time of the seal is what the sealing service said.',
  time_stamp_unverified: ({ at, authority }) =>
    `The time-stamp (${at}, ${authority}) is unverified: anyone can make one like it, and this service does not trust its authority for that time.`,
  contents_unreadable: () =>
    'Some of what is inside could not be checked. The file is the sealed one nevertheless, byte for byte.',
  no_audit_trail: () => 'There is no audit trail inside.',
  signature_unconfirmed: () =>
    'An early version made this seal, and this service has no record of the file. What was signed is unchanged. Someone could have rewritten the signature itself in its other valid form: verify the file where it was sealed.',
  structure_repaired: () => 'The table of the file’s parts is damaged and had to be made up.',
  has_xfa: () => 'The file has an XFA form, which some readers show in place of its pages.',
  file_rewritten: ({ file }) =>
    `The attached file (${file}) was encrypted or damaged and had to be written anew, so its hash cannot be computed again from this file.`,
  earlier_signature_broken: () =>
    'A digital signature that the file bore before it was sealed cannot be confirmed. The seal says nothing of it.',
  no_values: () =>
    'What was filled in is on the pages only: its hashes in the audit trail cannot be computed again from this file.',

  other_certificate: ({ subject, fingerprint }) =>
    `Signed with a certificate that is not this service’s: ${subject}, ${fingerprint}.`,
  certificate_of_same_name: ({ subject, fingerprint }) =>
    `Signed with another certificate that only bears the name of this service’s: ${subject}, ${fingerprint}.`,
  certificate_unknown: ({ subject, fingerprint }) =>
    `Signed by ${subject}, fingerprint ${fingerprint}, which this machine cannot vouch for: it knows no certificate of the service.`,
  certificate_out_of_validity: () => 'The certificate was not valid when the signature was made.',
  foreign_signature: () => 'The signature is of another kind than those of this service.',

  bytes_changed: () => 'The file was changed after it was sealed: its bytes are not those that the signature is over.',
  bytes_appended: ({ bytes }) => `${bytes} bytes were appended after the seal.`,
  update_appended: ({ bytes }) =>
    `A later change of ${bytes} bytes was appended after the seal: what is shown may not be what was sealed.`,
  truncated: ({ bytes }) => `The end of the file is missing: ${bytes} bytes that the seal covers.`,
  byte_range_altered: () => 'The seal does not cover the file as a seal of this service does: its range was altered.',
  signature_damaged: () => 'The signature itself was changed: it cannot be read as one of this service.',
  signature_broken: () => 'The signature does not hold: it was not made with the key of the certificate that it names.',
  signature_room_used: () => 'Something was written into the room that the signature left empty.',
  not_as_recorded: () => 'The file is not the one that was recorded when its document was sealed.',
  certificate_not_bound: () => 'The certificate inside is not the one that the signature names.',
  time_stamp_broken: () => 'The time-stamp does not hold.',
  seal_disconnected: () => 'A seal is in the file, but the document no longer refers to it.',
  structure_damaged: () => 'The structure of the file is damaged, so its parts cannot be read.',
  audit_trail_unreadable: () => 'The audit trail inside cannot be read.',
  audit_trail_broken: ({ entry }) =>
    `The audit trail inside was altered: entry ${entry} does not follow from the one before.`,
  content_not_as_sent: () => 'The content inside is not what the audit trail says was sent.',
  signature_not_in_trail: ({ party }) => `The audit trail inside does not say that ${party} signed or approved.`,
  file_not_as_attached: ({ file }) =>
    `The file inside is not the attached file (${file}) that the audit trail says was sent.`,
  values_not_as_signed: ({ party }) =>
    `What is inside as filled in by ${party} is not what the audit trail says they signed.`,

  no_seal: () => 'The PDF bears no digital signature.',
  seal_removed: () => 'The PDF has what this service puts into a sealed document, but no seal: it was removed.',

  empty_file: () => 'The file is empty.',
  not_a_pdf: () => 'The file is not a PDF.',
  file_too_large: () => 'The file is larger than 150 MB, the most that is examined.',
  too_complex: () => 'The file took more time or memory to read than any document sealed here does.',
  encrypted: () => 'The file is encrypted. Documents sealed here never are: use the file as you received it.',
  cut_short: () => 'The file ends in the middle: it was not transferred completely.',
  structure_unreadable: () => 'The file says it is a PDF, but cannot be read as one.',
};

export const textsEn = {
  findings,
  verdicts: {
    valid: 'This document is genuine and unaltered',
    altered: 'This document was altered after it was sealed',
    not_sealed_here: 'This document was not sealed by this service',
    not_sealed: 'This PDF bears no seal',
    unreadable: 'This file cannot be checked',
  } satisfies Record<Verdict, string>,
  meanings: {
    valid: 'This service sealed it, and nothing in it was changed since.',
    altered: 'Do not rely on it. Ask the sender, or open your own signing link, for the document as it was sealed.',
    not_sealed_here:
      'Its signature may be good, but it is not this service’s, so nothing can be said here of who signed it.',
    not_sealed: 'A document completed with this service always bears one. A printed and scanned copy does not.',
    unreadable: 'Nothing can be said of it. Choose the PDF as you received or downloaded it.',
  } satisfies Record<Verdict, string>,
  title: 'Verify a document',
  lead: 'Choose a completed PDF to learn whether this service sealed it and whether it was changed since.',
  privacy: 'The file is examined and then deleted. Nothing of it is kept.',
  file: 'PDF file',
  fileHint: 'Drop the file here, or choose it. At most 150 MB.',
  verify: 'Verify',
  another: 'Verify another document',
  noFile: 'Choose a PDF file first.',
  busyTitle: 'Too many files are being verified',
  busy: 'Try again in a moment.',
  throttledTitle: 'Too many requests',
  failedTitle: 'Something went wrong',
  failed: 'The file could not be examined. Try again in a moment.',
  problem: 'What is wrong',
  remarks: 'To know',
  checks: 'What was checked',
  document: 'The document',
  documentTitle: 'Title',
  documentId: 'Document ID',
  sentBy: 'Sent by',
  sealedAt: 'Sealed',
  timeStamp: 'Time-stamp',
  unverified: 'unverified',
  contentHash: 'SHA-256 of the content',
  attachedFile: 'Attached file',
  fileBefore: 'Its SHA-256 before',
  fileAfter: 'Its SHA-256 after',
  auditHead: 'Last audit entry',
  parties: 'Who took part',
  signed: 'Signed',
  approved: 'Approved',
  copied: 'Received a copy',
  notSigned: 'No signature recorded',
  viewed: 'Opened',
  identifiedBy: 'Identified by',
  kinds: { signer: 'Signer', approver: 'Approver', cc: 'Copy' } as Record<string, string>,
  channels: {
    email: 'personal link sent by e-mail',
    sms: 'personal link sent by SMS',
    in_person: 'personal link, in person',
  } as Record<string, string>,
  authLevels: {
    l1_email_sms_otp: 'one-time code by SMS',
    l0_account_session: 'signed in to their account',
  } as Record<string, string>,
  methods: { typed: 'typed', drawn: 'drawn by hand', approval: 'approval' } as Record<string, string>,
};

export type Texts = typeof textsEn;
