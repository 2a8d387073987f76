/**
 * Decides for every table of the database, and every column, whether a data export has it. A test compares this list with the
 * database, so a new table or column needs a decision. The reasons are for readers of this file.
 */
export type TableDecision = ExportedTable | { readBy: string } | { leftOut: string };

/** A table whose `columns` are exported. `leftOut` has the other columns, with the reason. */
export interface ExportedTable {
  columns: readonly string[];
  leftOut?: Record<string, string>;
}

const always = 'the same in every row of an export';
const secret = 'a secret, or its hash';
const internal = 'bookkeeping of the service';
const inFile = 'is a file of the archive';
const person = 'belongs to a person who signs in, not to the company';
const shortLived = 'ends within a day, and has hashes of secrets';

export const exportedTables = {
  account_storage: { leftOut: 'is measured from the documents' },
  accounts: {
    columns: [
      ...['id', 'display_name', 'tier', 'restricted_types', 'credits', 'created_at', 'removed_at', 'notices_off'],
      ...['default_expires_in_days', 'default_reminder_days', 'default_expiry_reminder_days', 'requires_sso'],
      ...['asks_consent', 'copies_contact', 'copies_cost', 'prints_document_id', 'allows_delegation', 'embed_origins'],
      ...['allows_comments', 'masks_contacts', 'shows_devices'],
    ],
    leftOut: {
      credits_month: internal,
      credits_granted: internal,
      erase_requested_at: internal,
      erased_at: 'an erased company has nothing to export',
    },
  },
  account_audit_entries: { readBy: 'the audit log, which has the sign-ins of members too' },
  api_keys: {
    columns: ['id', 'name', 'mode', 'scopes', 'hint', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'],
    leftOut: { account_id: always, legacy: internal, hash: secret },
  },
  attestations: {
    columns: ['document_id', 'entry', 'recipient_id', 'requested_at', 'cms'],
    leftOut: { account_id: always },
  },
  audit_entries: {
    columns: [
      'document_id',
      'seq',
      'at',
      'actor',
      'action',
      'detail',
      'previous_hash',
      'hash',
      'erased_at',
      'openings',
    ],
    leftOut: { account_id: always },
  },
  audit_stream_entries: { leftOut: 'the audit log has the entries; these wait to be sent' },
  audit_streams: {
    columns: [
      'kind',
      'url',
      'created_at',
      'paused_at',
      'last_entry_id',
      'last_sent_at',
      'sent_entries',
      'failing_since',
    ],
    leftOut: {
      account_id: always,
      secret,
      previous_secret: secret,
      previous_secret_until: internal,
      failures: internal,
      last_error: internal,
      warned_at: internal,
      next_attempt_at: internal,
      lease_id: internal,
      leased_until: internal,
    },
  },
  brand_texts: { columns: ['kind', 'language', 'subject', 'introduction'], leftOut: { account_id: always } },
  brands: {
    columns: ['accent', 'sender_name', 'reply_to', 'always_reply_to', 'logo_type', 'logo_width', 'logo_height'],
    leftOut: { account_id: always, version: internal, logo: inFile, logo_sha256: 'the manifest has it' },
  },
  bulk_send_rows: {
    columns: ['bulk_send_id', 'number', 'status', 'cells', 'faults', 'duplicate_of', 'document_id'],
    leftOut: { account_id: always },
  },
  bulk_sends: {
    columns: [
      ...['id', 'template_id', 'template_version', 'actor', 'file_name', 'columns', 'targets', 'status', 'stop_reason'],
      ...['created_at', 'started_at', 'ended_at', 'language'],
    ],
    leftOut: { account_id: always },
  },
  cc_list_people: {
    columns: ['list_id', 'position', 'name', 'email'],
    leftOut: { account_id: always, canonical_email: internal },
  },
  cc_lists: {
    columns: ['id', 'name', 'is_default', 'created_at'],
    leftOut: { account_id: always, name_key: internal, version: internal },
  },
  credit_entries: {
    columns: ['id', 'number', 'amount', 'balance', 'reason', 'document_id', 'created_at'],
    leftOut: {
      account_id: always,
      source_sha256: 'the hash of the file that was unlocked, which is with its document',
    },
  },
  custom_domains: {
    columns: ['host', 'state', 'proven_by', 'created_at', 'activated_at', 'failing_since'],
    leftOut: {
      account_id: always,
      challenge: secret,
      checked_at: internal,
      problem: internal,
      next_check_at: internal,
    },
  },
  data_exports: { leftOut: 'the list of exports' },
  direct_messages: { readBy: 'the message log' },
  document_fields: {
    columns: [
      ...['id', 'position', 'type', 'page', 'x', 'y', 'width', 'height', 'required', 'label', 'value', 'filled_at'],
      ...['is_private', 'preset', 'is_fixed', 'number_min', 'number_max', 'decimals', 'options', 'group_name'],
      ...['condition_position', 'condition_value', 'formula', 'date_format', 'text_format'],
    ],
    leftOut: { account_id: always, document_id: 'is nested', recipient_id: 'is nested' },
  },
  document_files: {
    columns: ['sha256', 'name', 'page_count', 'pages', 'is_signed', 'attached_at'],
    leftOut: { account_id: always, document_id: 'is nested' },
  },
  document_parts: {
    columns: ['position', 'sha256', 'name', 'first_page', 'page_count'],
    leftOut: { account_id: always, document_id: 'is nested' },
  },
  document_unlocks: {
    columns: [
      'status',
      'reason',
      'pages',
      'credits',
      'requested_at',
      'finished_at',
      'source_sha256',
      'rendered_sha256',
    ],
    leftOut: {
      account_id: always,
      document_id: 'is nested',
      attempts: internal,
      sha256: 'names the text, which is a file of the archive',
      version: internal,
      rendered_version: internal,
      rendered_pages: internal,
      used_sha256: 'is the hash of the attached file',
    },
  },
  documents: {
    columns: [
      ...['id', 'type', 'status', 'title', 'description', 'primary_language', 'secondary_language', 'message'],
      ...['sign_order_mode', 'expires_in_days', 'reminder_days', 'expiry_reminder_days', 'expiry_reminder_at'],
      ...[
        'is_template',
        'is_migrated',
        'folder_id',
        'restricted_kind',
        'mirrors_document_id',
        'sent_mode',
        'content_sha256',
      ],
      ...[
        'created_at',
        'updated_at',
        'sent_at',
        'completed_at',
        'sealed_at',
        'voided_at',
        'voided_reason',
        'expires_at',
      ],
      ...['send_at', 'send_by', 'send_language', 'send_failure', 'send_failed_at'],
      ...['asks_consent', 'copies_contact', 'copies_cost', 'masks_contacts', 'shows_devices'],
      ...['audit_seq', 'audit_hash'],
    ],
    leftOut: {
      account_id: always,
      recipient_count: 'the recipients are nested',
      sealed_file: inFile,
      seal_changed_page: internal,
      seal_embeds_file: internal,
    },
  },
  esign_authorizations: { leftOut: shortLived },
  esign_connections: {
    columns: [
      ...['vendor_account_id', 'vendor_account_name', 'vendor_user_name', 'vendor_user_email', 'base_uri'],
      ...['connected_by', 'connected_at', 'refused_at'],
    ],
    leftOut: {
      account_id: always,
      id: internal,
      access_token: secret,
      refresh_token: secret,
      access_token_ends_at: internal,
      refresh_due_at: internal,
      generation: internal,
      refresh_lease_id: internal,
      refresh_leased_until: internal,
      refreshed_at: internal,
      owners_asked_at: internal,
    },
  },
  esign_envelopes: { leftOut: 'what a running import from the vendor has still to do' },
  esign_sweeps: { leftOut: 'how far an import from the vendor has come' },
  events: {
    columns: ['id', 'type', 'document_id', 'created_at', 'body'],
    leftOut: { account_id: always, traceparent: internal },
  },
  field_files: {
    columns: ['field_id', 'recipient_id', 'sha256', 'name', 'media_type', 'uploaded_at', 'signed_at'],
    leftOut: { account_id: always, document_id: 'is nested', id: internal },
  },
  folder_members: { columns: ['folder_id', 'member_id', 'role', 'created_at'], leftOut: { account_id: always } },
  folders: {
    columns: ['id', 'name', 'is_open', 'created_at', 'removed_at'],
    leftOut: { account_id: always, name_key: internal },
  },
  guess_counters: { leftOut: 'counts failed tries, for no company' },
  idempotency_leases: { leftOut: shortLived },
  idempotency_records: { leftOut: 'answers of the API that are kept for a day, to repeat them' },
  import_items: {
    columns: [
      ...['id', 'import_id', 'index', 'name', 'status', 'reason', 'document_id', 'duplicate', 'bytes', 'pages'],
      ...['drive_file_id', 'unlock_status', 'unlock_pages', 'unlock_credits', 'unlock_reason'],
      ...['created_at', 'finished_at'],
    ],
    leftOut: { account_id: always, sealed_link: secret, reserved_bytes: internal },
  },
  import_usage: { leftOut: 'counts the present day and month; usage_days has the history' },
  imported_drive_files: {
    columns: ['drive_file_id', 'revision', 'sha256'],
    leftOut: { account_id: always },
  },
  imported_envelopes: { columns: ['envelope_id', 'document_id', 'bytes', 'pages'], leftOut: { account_id: always } },
  imported_files: {
    columns: ['sha256', 'document_id', 'bytes', 'pages'],
    leftOut: { account_id: always, link_sha256: secret },
  },
  imports: {
    columns: [
      ...['id', 'source', 'status', 'unlock_doc', 'api_key_id', 'started_by', 'total_files', 'filed', 'failed'],
      ...['created_at', 'finished_at'],
    ],
    leftOut: { account_id: always, lease_id: internal, leased_until: internal },
  },
  known_browsers: { leftOut: person },
  members: {
    columns: ['id', 'email', 'role', 'created_at', 'notices_off'],
    leftOut: { account_id: always, canonical_email: internal },
  },
  messages: { readBy: 'the message log' },
  notices: { readBy: 'the message log' },
  operator_log: { leftOut: 'belongs to those who run the service; the audit log has what they did to the company' },
  operators: { leftOut: person },
  passkey_challenges: { leftOut: person },
  passkeys: { leftOut: person },
  people: { leftOut: `${person}; members have their address and id` },
  phone_drawings: { leftOut: shortLived },
  public_link_documents: {
    columns: ['document_id', 'link_id', 'recipient_id'],
    leftOut: { account_id: always, email_hash: secret },
  },
  public_link_visits: { leftOut: shortLived },
  public_links: {
    columns: [
      ...['id', 'template_id', 'name', 'language', 'ends_at', 'documents_max', 'documents', 'one_per_email', 'is_on'],
      ...['actor', 'created_at'],
    ],
    leftOut: { account_id: always, token: secret },
  },
  rate_usage: { leftOut: 'counts the present minute and day' },
  recipient_comments: {
    columns: ['id', 'recipient_id', 'at', 'name', 'text'],
    leftOut: {
      account_id: always,
      document_id: 'is nested',
      holder: 'counts reassignments, which are in the audit trail',
    },
  },
  recipients: {
    columns: [
      ...['id', 'position', 'display_name', 'email', 'phone', 'party_role', 'channel', 'sign_order', 'auth_level'],
      ...['status', 'sent_at', 'viewed_at', 'signed_at', 'declined_at', 'declined_reason'],
      ...['signature_name', 'initials_text', 'signed_ip', 'signed_user_agent', 'contact_salt'],
    ],
    leftOut: {
      account_id: always,
      document_id: 'is nested',
      signature_png: inFile,
      initials_png: inFile,
      stamp_png: inFile,
      holder: 'counts reassignments, which are in the audit trail',
    },
  },
  recovery_codes: { leftOut: person },
  removed_members: { columns: ['canonical_email', 'removed_at'], leftOut: { account_id: always } },
  request_log: { readBy: 'the request log' },
  review_notes: { columns: ['seq', 'note'], leftOut: { account_id: always, document_id: 'is nested' } },
  saved_views: { columns: ['member_id', 'name', 'search'], leftOut: { account_id: always } },
  schema_migrations: { leftOut: 'of the installation' },
  sealed_files: {
    columns: ['version', 'sha256', 'bytes', 'stamped_until'],
    leftOut: {
      account_id: always,
      document_id: 'is nested',
      byte_range: 'the PDF has it',
      signed_digest: 'the PDF has it',
      renew_at: internal,
      renewal_failures: internal,
      renewal_failure: internal,
    },
  },
  saved_signatures: { leftOut: person },
  sessions: { leftOut: person },
  sign_in_links: { leftOut: person },
  signing_links: { leftOut: secret },
  sso_authorizations: { leftOut: shortLived },
  sso_connections: {
    columns: ['issuer', 'client_id', 'role_claim', 'default_role', 'created_at', 'changed_at'],
    leftOut: { account_id: always, id: internal, version: internal, client_secret: secret },
  },
  sso_domains: {
    columns: ['domain', 'proven_at', 'proven_by', 'created_at'],
    leftOut: { account_id: always, challenge: secret },
  },
  sso_identities: {
    columns: ['issuer', 'subject', 'person_id', 'created_at', 'last_used_at'],
    leftOut: { account_id: always },
  },
  sso_roles: { columns: ['value', 'role'], leftOut: { account_id: always } },
  storage_totals: { leftOut: 'of the installation' },
  stored_files: { leftOut: 'files of all companies; the manifest has those of the export' },
  unlocked_pages: { readBy: 'the text of unlocked documents' },
  usage_days: {
    columns: ['day', 'requests', 'refused', 'failed', 'import_files', 'import_bytes'],
    leftOut: { account_id: always },
  },
  verification_codes: { leftOut: shortLived },
  verifications: { leftOut: shortLived },
  webhook_attempt_counts: { leftOut: 'counts of the attempts, for a chart' },
  webhook_attempts: {
    columns: ['delivery_id', 'number', 'at', 'status_code', 'error', 'response_body', 'duration_ms'],
  },
  webhook_deliveries: {
    columns: [
      'id',
      'endpoint_id',
      'event_id',
      'payload_version',
      'status',
      'failures',
      'redelivery_of',
      'created_at',
      'settled_at',
    ],
    leftOut: { account_id: always, next_attempt_at: internal, lease_id: internal, leased_until: internal },
  },
  webhook_endpoints: {
    columns: [
      ...[
        'id',
        'url',
        'events',
        'created_at',
        'paused_at',
        'paused_by',
        'failing_since',
        'last_failed_at',
        'removed_at',
      ],
      'rate_limit',
      'payload_version',
    ],
    leftOut: {
      account_id: always,
      slot: internal,
      secret,
      previous_secret: secret,
      previous_secret_until: internal,
      oldest_secret: secret,
      oldest_secret_until: internal,
      answers: internal,
      warned_at: internal,
      paced_until: internal,
    },
  },
} satisfies Record<string, TableDecision>;

type Tables = typeof exportedTables;

/** A table whose columns are exported. */
export type ExportedTableName = {
  [Name in keyof Tables]: Tables[Name] extends ExportedTable ? Name : never;
}[keyof Tables];

/** Returns the exported columns of a table for a select, under its alias. */
export function columnsOf(table: ExportedTableName, alias = 't'): string {
  return exportedTables[table].columns.map((column) => `${alias}.${column}`).join(', ');
}
