/** The possible results of verifying a file, from the best to the gravest. */
export const verdicts = ['valid', 'not_sealed_here', 'altered', 'not_sealed', 'unreadable'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * All findings and their meanings. `good` speaks for the file, `remark` is neutral, and any other meaning is the verdict
 * that the finding leads to. The names never change, because scripts rely on them.
 */
export const findingMeanings = {
  is_pdf: 'good',
  recorded_here: 'good',
  whole_file_covered: 'good',
  validation_data_added: 'good',
  bytes_unchanged: 'good',
  signature_holds: 'good',
  certificate_bound: 'good',
  sealed_here: 'good',
  certificate_in_validity: 'good',
  time_stamped: 'good',
  document_time_stamped: 'good',
  audit_trail_intact: 'good',
  content_as_sent: 'good',
  changes_forbidden: 'good',
  file_as_attached: 'good',
  earlier_signatures_hold: 'good',
  values_as_signed: 'good',
  acts_attested: 'good',
  acts_time_stamped: 'good',

  test_mode: 'remark',
  no_time_stamp: 'remark',
  time_stamp_unverified: 'remark',
  time_stamp_ended: 'remark',
  document_time_stamp_unverified: 'remark',
  document_time_stamp_ended: 'remark',
  contents_unreadable: 'remark',
  no_audit_trail: 'remark',
  structure_repaired: 'remark',
  has_xfa: 'remark',
  file_rewritten: 'remark',
  earlier_signature_broken: 'remark',
  no_values: 'remark',
  signature_unconfirmed: 'remark',
  attestation_certificate_unknown: 'remark',
  act_time_stamp_unverified: 'remark',

  other_certificate: 'not_sealed_here',
  certificate_of_same_name: 'not_sealed_here',
  certificate_unknown: 'not_sealed_here',
  certificate_out_of_validity: 'not_sealed_here',
  foreign_signature: 'not_sealed_here',

  bytes_changed: 'altered',
  bytes_appended: 'altered',
  update_appended: 'altered',
  truncated: 'altered',
  byte_range_altered: 'altered',
  signature_damaged: 'altered',
  signature_broken: 'altered',
  signature_room_used: 'altered',
  not_as_recorded: 'altered',
  certificate_not_bound: 'altered',
  time_stamp_broken: 'altered',
  seal_disconnected: 'altered',
  structure_damaged: 'altered',
  audit_trail_unreadable: 'altered',
  audit_trail_broken: 'altered',
  content_not_as_sent: 'altered',
  signature_not_in_trail: 'altered',
  file_not_as_attached: 'altered',
  values_not_as_signed: 'altered',
  attestation_missing: 'altered',
  attestation_not_valid: 'altered',
  attestations_unreadable: 'altered',

  no_seal: 'not_sealed',
  seal_removed: 'not_sealed',

  empty_file: 'unreadable',
  not_a_pdf: 'unreadable',
  file_too_large: 'unreadable',
  too_complex: 'unreadable',
  encrypted: 'unreadable',
  cut_short: 'unreadable',
  structure_unreadable: 'unreadable',
} as const satisfies Record<string, 'good' | 'remark' | Exclude<Verdict, 'valid'>>;

export type FindingId = keyof typeof findingMeanings;

export interface Finding {
  id: FindingId;
  /** Numbers, names and times for the finding's sentence. */
  detail: FindingDetail;
}

export interface FindingDetail {
  bytes?: number;
  entry?: number;
  entries?: number;
  hash?: string;
  subject?: string;
  fingerprint?: string;
  at?: string;
  authority?: string;
  recipient?: string;
  file?: string;
  signatures?: number;
  fields?: number;
  acts?: number;
}

export function finding(id: FindingId, detail: FindingDetail = {}): Finding {
  return { id, detail };
}

/** Returns the gravest verdict that the findings lead to. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const gravity = findings.map(({ id }) => {
    const meaning = findingMeanings[id];
    return meaning === 'good' || meaning === 'remark' ? 0 : verdicts.indexOf(meaning);
  });
  return verdicts[Math.max(0, ...gravity)] as Verdict;
}
