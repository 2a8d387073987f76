import type { FindingDetail, FindingId, Verdict } from './findings.ts';

/** One sentence for each finding. Names in the details come from strangers: escape them, or make them safe, when shown. */
const findings: Record<FindingId, (detail: FindingDetail) => string> = {
  is_pdf: () => 'The file is a PDF.',
  recorded_here: () => 'This service sealed this file. Its SHA-256 matches the record.',
  whole_file_covered: ({ bytes }) => `The seal covers the whole file (${bytes} bytes).`,
  validation_data_added: ({ bytes }) =>
    `The seal covers everything that the document shows. After it come only ${bytes} bytes of data for checking it years later.`,
  bytes_unchanged: () => 'No byte under the seal has changed.',
  signature_holds: () => 'The digital signature is valid.',
  certificate_bound: () => 'The signature names its certificate, so the certificate can’t be replaced.',
  sealed_here: ({ subject, fingerprint }) => `Sealed with the certificate of this service: ${subject}, ${fingerprint}.`,
  certificate_in_validity: () => 'The certificate was valid when the seal was made.',
  time_stamped: ({ at, authority }) => `A time-stamp authority (${authority}) confirms that the seal existed on ${at}.`,
  document_time_stamped: ({ at, authority }) =>
    `A time-stamp authority (${authority}) confirms that this file, with its seal, existed on ${at}.`,
  audit_trail_intact: ({ entries, hash }) =>
    `The audit trail is complete: ${entries} entries, each linked to the one before. Hash of the last entry: ${hash}.`,
  content_as_sent: () => 'The signed content is the content that was sent. Its hash matches the audit trail.',
  changes_forbidden: () => 'The seal forbids later changes. PDF readers that check signatures report any change.',
  file_as_attached: ({ file }) => `The attached file (${file}) is included exactly as it was sent.`,
  earlier_signatures_hold: ({ signatures }) =>
    `The file had ${signatures} digital ${signatures === 1 ? 'signature' : 'signatures'} before it was sealed. What they cover is unchanged.`,
  values_as_signed: ({ fields }) =>
    `The filled-in values (${fields} ${fields === 1 ? 'field' : 'fields'}) are what each recipient signed. Their hashes match the audit trail.`,
  acts_attested: ({ acts }) =>
    `Before it sealed the document, this service digitally signed the audit ${acts === 1 ? 'entry of a signature or approval' : `entries of ${acts} signatures or approvals`}.`,
  acts_time_stamped: ({ acts }) =>
    `A time-stamp authority confirms that ${acts === 1 ? 'a signature or approval' : `${acts} signatures or approvals`} existed at the time shown.`,

  test_mode: () =>
    'This document was sent in test mode. Its signatures are not real, and no e-mail or SMS was sent for it.',
  no_time_stamp: () => 'There is no time-stamp. The time of the seal comes from the sealing service’s clock.',
  time_stamp_unverified: ({ at, authority }) =>
    `The time-stamp (${at}, ${authority}) is unverified. This service does not trust its authority for that time, and anyone can make a similar one.`,
  time_stamp_ended: ({ at, authority }) =>
    `The certificate of the time-stamp (${at}, ${authority}) has ended, and no later time-stamp covers it. Alone, it no longer proves the time.`,
  document_time_stamp_unverified: ({ at, authority }) =>
    `The time-stamp of the whole file (${at}, ${authority}) is unverified. This service does not trust its authority for that time.`,
  document_time_stamp_ended: ({ at, authority }) =>
    `The certificate of the time-stamp of the whole file (${at}, ${authority}) ended before a later time-stamp covered it. Alone, it no longer proves the time.`,
  contents_unreadable: () =>
    'Some of the contents could not be checked. The file is still exactly the one that was sealed.',
  no_audit_trail: () => 'The file has no audit trail.',
  signature_unconfirmed: () =>
    'An early version made this seal, and this service has no record of the file. The signed content is unchanged. Someone could have rewritten the signature in its other valid form. To be sure, verify the file where it was sealed.',
  structure_repaired: () => 'The file’s cross-reference table is damaged and had to be rebuilt.',
  has_xfa: () => 'The file has an XFA form. Some readers show the form instead of the pages.',
  file_rewritten: ({ file }) =>
    `The attached file (${file}) was encrypted or damaged and had to be rewritten, so its hash can’t be computed from this file.`,
  earlier_signature_broken: () =>
    'A digital signature from before the sealing can’t be confirmed. The seal does not vouch for it.',
  no_values: () => 'The filled-in values are on the pages only, so their hashes can’t be computed from this file.',
  attestation_certificate_unknown: ({ recipient }) =>
    `The digital signature over the audit entry of ${recipient} was made with a certificate that is not known here.`,
  act_time_stamp_unverified: ({ recipient, at, authority }) =>
    `The time-stamp of what ${recipient} did (${at}, ${authority}) is unverified. This service does not trust its authority for that time.`,

  other_certificate: ({ subject, fingerprint }) =>
    `Signed with a certificate that is not this service’s: ${subject}, ${fingerprint}.`,
  certificate_of_same_name: ({ subject, fingerprint }) =>
    `Signed with a different certificate that has the same name as this service’s: ${subject}, ${fingerprint}.`,
  certificate_unknown: ({ subject, fingerprint }) =>
    `Signed by ${subject}, fingerprint ${fingerprint}. This machine has no certificate of the service to compare it with.`,
  certificate_out_of_validity: () => 'The certificate was not valid when the signature was made.',
  foreign_signature: () => 'The signature is not of the kind that this service makes.',

  bytes_changed: () => 'The file was changed after it was sealed. Its bytes don’t match the signature.',
  bytes_appended: ({ bytes }) => `${bytes} bytes were added after the seal.`,
  update_appended: ({ bytes }) =>
    `A change of ${bytes} bytes was added after the seal. The file may show something other than what was sealed.`,
  truncated: ({ bytes }) => `The end of the file is missing (${bytes} bytes under the seal).`,
  byte_range_altered: () => 'The seal does not cover the file the way this service’s seals do. Its range was altered.',
  signature_damaged: () => 'The signature was changed. It can’t be read as one of this service.',
  signature_broken: () => 'The signature is not valid. It was not made with the key of the certificate that it names.',
  signature_room_used: () => 'Something was written into the empty space after the signature.',
  not_as_recorded: () => 'The file is not the one that was recorded when the document was sealed.',
  certificate_not_bound: () => 'The included certificate is not the one that the signature names.',
  time_stamp_broken: () => 'The time-stamp is not valid.',
  seal_disconnected: () => 'The file has a seal, but the document no longer uses it.',
  structure_damaged: () => 'The structure of the file is damaged, so its contents can’t be read.',
  audit_trail_unreadable: () => 'The audit trail can’t be read.',
  audit_trail_broken: ({ entry }) => `The audit trail was altered. Entry ${entry} does not match the one before.`,
  content_not_as_sent: () => 'The content is not what was sent, according to the audit trail.',
  signature_not_in_trail: ({ recipient }) => `The audit trail does not say that ${recipient} signed or approved.`,
  file_not_as_attached: ({ file }) =>
    `The included file is not the attached file (${file}) that was sent, according to the audit trail.`,
  values_not_as_signed: ({ recipient }) =>
    `The values filled in by ${recipient} are not the ones they signed, according to the audit trail.`,
  attestation_missing: ({ recipient }) =>
    `The digital signature over the audit entry of ${recipient} is missing, according to the audit trail.`,
  attestation_not_valid: ({ recipient }) =>
    `The digital signature over the audit entry of ${recipient} is not valid, or not the one in the audit trail.`,
  attestations_unreadable: () => 'The digital signatures over the audit entries can’t be read.',

  no_seal: () => 'The PDF has no digital signature.',
  seal_removed: () => 'The PDF has the contents of a sealed document, but the seal was removed.',

  empty_file: () => 'The file is empty.',
  not_a_pdf: () => 'The file is not a PDF.',
  file_too_large: () => 'The file is larger than the maximum of 160 MB.',
  too_complex: () => 'The file takes more time or memory to read than any document sealed here.',
  encrypted: () => 'The file is encrypted. Documents sealed here are never encrypted. Use the file as you received it.',
  cut_short: () => 'The file is incomplete. Download it again.',
  structure_unreadable: () => 'The file looks like a PDF but can’t be read.',
};

export const textsEn = {
  findings,
  verdicts: {
    valid: 'This document is genuine and unaltered',
    altered: 'This document was altered after it was sealed',
    not_sealed_here: 'This document was not sealed by this service',
    not_sealed: 'This PDF has no seal',
    unreadable: 'This file can’t be checked',
  } satisfies Record<Verdict, string>,
  meanings: {
    valid: 'This service sealed it, and nothing has changed since.',
    altered: 'Do not rely on it. Ask the sender for the sealed document, or download it with your signing link.',
    not_sealed_here: 'Its signature may be valid, but another service made it. Ask that service who signed it.',
    not_sealed: 'Documents completed with this service always have a seal. Printed and scanned copies don’t.',
    unreadable: 'Choose the PDF exactly as you received or downloaded it.',
  } satisfies Record<Verdict, string>,
  testMode: 'Test mode · Not a real signature',
  title: 'Verify a document',
  lead: 'Choose a completed PDF to find out whether this service sealed it and whether it has changed since.',
  privacy: 'The file is checked and then deleted. We don’t keep a copy.',
  file: 'PDF file',
  fileHint: 'Drop the file here, or choose it. Up to 160 MB.',
  verify: 'Verify',
  another: 'Verify another document',
  noFile: 'Choose a PDF file first.',
  busyTitle: 'Too many files at once',
  busy: 'Try again in a moment.',
  throttledTitle: 'Too many requests',
  failedTitle: 'Something went wrong',
  failed: 'The file could not be checked. Try again in a moment.',
  problem: 'Problems',
  remarks: 'Good to know',
  checks: 'Checks',
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
  recipients: 'Participants',
  signed: 'Signed',
  approved: 'Approved',
  attested: 'Confirmed',
  byService: 'digital signature of the service',
  notSigned: 'No signature recorded',
  viewed: 'Opened',
  identifiedBy: 'Identified by',
  kinds: { signer: 'Signer', approver: 'Approver', cc: 'Copy' } as Record<string, string>,
  channels: {
    email: 'personal link sent by e-mail',
    sms: 'personal link sent by SMS',
    in_person: 'personal link, in person',
  } as Record<string, string>,
  linkNotSent: 'personal link, not sent',
  authLevels: {
    l1_email_sms_otp: 'one-time code by SMS',
    l0_account_session: 'signed in to their account',
  } as Record<string, string>,
  methods: { typed: 'typed', drawn: 'drawn by hand', uploaded: 'uploaded picture', approval: 'approval' } as Record<
    string,
    string
  >,
};

export type Texts = typeof textsEn;
