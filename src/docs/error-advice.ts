import type { ErrorCode } from '../errors.ts';

interface Advice {
  /** What to do, beyond what the message says. */
  advice: string;
  /** The input at fault where no schema names the code. */
  param?: string;
}

/** For every code what a client does about it; the compiler asks for the ones that are missing. */
export const errorAdvice: Record<ErrorCode, Advice> = {
  missing_authorization: {
    advice:
      'Send the header with every request. A client that follows a redirect may have dropped it: call the base address itself.',
  },
  invalid_api_key: {
    advice:
      'Check the key for a missing or added character. If it is complete, it was revoked or has expired: take a new one. The answer never says which.',
  },

  insufficient_scope: {
    advice: 'Scopes cannot be added to a key: create one that has this scope. The message names it.',
    param: 'scopes',
  },
  api_access_required: { advice: 'Move the account to a plan with API access. Its keys then work again.' },
  key_company_unavailable: { advice: 'The company was removed. Its keys do not come back.' },
  cloud_import_requires_pro: { advice: 'Move the account to the Pro plan or above.' },
  cloud_import_unavailable: { advice: 'Ask whoever runs this server. Vendor migrations are not affected.' },
  cloud_import_test_key: { advice: 'Repeat the request with a live key.' },
  import_quota_exceeded: {
    advice:
      'Wait for the next UTC day, or month for storage, or move to a larger plan. Running imports count until their files land.',
  },

  invalid_json: { advice: 'Send one JSON value in UTF-8. An empty body is refused where a body is required.' },
  request_too_large: { advice: 'Send less. The connection is closed, because the rest of the body is not read.' },
  invalid_body: {
    advice: 'Send an object at the top level and wherever the reference says object: not an array, a scalar or null.',
    param: 'body',
  },
  headers_too_large: { advice: 'Send fewer or shorter headers, cookies above all. Answered before the key is read.' },
  malformed_request: {
    advice: 'The HTTP client is at fault, or something between it and the server. Answered before the key is read.',
  },
  request_timeout: {
    advice:
      'Send the whole request without pauses. A write whose answer did not arrive is safe to repeat with the same `Idempotency-Key`.',
  },
  invalid_limit: { advice: 'Ask for 1 to 100. A number out of range is refused, never clamped.' },
  invalid_cursor: {
    advice: 'Send a `next_cursor` of the same list as it was, or start from the beginning without one.',
  },
  conflicting_cursors: { advice: 'Choose one direction.', param: 'starting_after' },
  invalid_status: { advice: 'One unknown value refuses the whole request. There are no spaces between the values.' },
  invalid_idempotency_key: { advice: 'A UUID is a good key.' },
  invalid_title: { advice: 'Shorten it, or give it a character that shows. Lengths count Unicode code points.' },
  invalid_type: {
    advice: 'Use one of the types listed with [POST /documents](#create-document), or leave it out for `form`.',
  },
  invalid_primary_language: { advice: 'Leave it out for English.' },
  invalid_recipients: { advice: 'A document needs at least one recipient and has room for 20.' },
  invalid_recipient_name: { advice: 'White space alone is not a name.' },
  invalid_channel: { advice: 'Leave it out for `email`.' },
  invalid_recipient_email: { advice: 'One address, without a display name.' },
  missing_recipient_email: {
    advice:
      'Give the recipient an `email`, or another `channel`. A recipient without a `channel` is reached by e-mail.',
    param: 'recipients[N].email',
  },
  invalid_recipient_phone: {
    advice: 'Only the length is checked. The international form, +44 20 7946 0018, is understood everywhere.',
  },
  missing_recipient_phone: {
    advice: 'Give the recipient a `phone`, or another `channel` or `auth_level`.',
    param: 'recipients[N].phone',
  },
  invalid_recipient_role: { advice: 'Any short text. Only `cc` and `approver` have a meaning of their own.' },
  invalid_sign_order: { advice: 'Leave it out and each recipient takes its position in the array.' },
  invalid_auth_level: { advice: 'A `cc` and an `approver` cannot have `l1_email_sms_otp`.' },
  invalid_content_message: { advice: 'Shorten it. Lengths count Unicode code points.' },
  invalid_sign_order_mode: { advice: 'Leave it out for `parallel`.' },
  invalid_expires_in_days: { advice: 'Leave it out for a document that does not expire.' },
  document_not_completed: {
    advice:
      'Wait for `document.completed`, or poll the document until its `status` is `completed`. Sealing takes a few seconds more: ask again then.',
    param: 'status',
  },
  document_not_sendable: {
    advice:
      'It was sent before, perhaps by the request you are repeating: send with an `Idempotency-Key` and a repetition gets the first answer.',
    param: 'status',
  },
  no_recipients: { advice: 'Create the document again with its recipients.', param: 'recipients' },
  no_signers: {
    advice: 'Create the document again with at least one recipient whose `role` is not `cc`.',
    param: 'recipients',
  },
  recipient_contact_required: {
    advice: 'Create the document again with an `email` or `phone` for each recipient, as its `channel` needs.',
    param: 'recipients',
  },
  approver_requires_sequential: {
    advice: 'Create the document again with `content.sign_order_mode` `sequential`.',
    param: 'sign_order_mode',
  },
  pay_app_unsigned: { advice: 'Send it once the document it mirrors is `completed`.' },
  invalid_source: { advice: 'Choose one of the three.' },
  invalid_files: { advice: 'Split a longer list into several imports.', param: 'files' },
  invalid_file_url: {
    advice:
      'Send a shared, direct or temporary link to one file. Links to folders, transfers and trackers are refused.',
    param: 'files[N].url',
  },
  invalid_file_id: { advice: 'Take the id from the drive, not the address of the file.', param: 'files[N].id' },
  invalid_access_token: { advice: 'Send the token your own application got from the drive.', param: 'access_token' },
  invalid_unlock_doc: { advice: 'Leave it out for true.', param: 'unlock_doc' },
  drive_token_rejected: {
    advice: 'Refresh the token and repeat the request with the same `Idempotency-Key`.',
    param: 'access_token',
  },
  invalid_earliest: { advice: 'Leave it out to bring in everything.', param: 'earliest' },
  esign_not_connected: {
    advice:
      'An owner connects it in Settings, with a browser; a key cannot. A connection that the vendor has ended counts as none.',
    param: 'source',
  },

  document_not_found: {
    advice: 'The id is malformed, unknown or of another account, or the document is a template or a sensitive paper.',
  },
  import_not_found: { advice: 'The id is malformed, unknown or of another account.' },
  route_not_found: { advice: 'Compare path and method with this reference.' },

  rate_limit_exceeded: {
    advice: 'The message names the budget; the `X-RateLimit` headers show both. See [rate limits](#rate-limits).',
  },
  ip_throttled: {
    advice:
      'Spread the requests out. All clients behind one address count together, an IPv6 network of /64 as one address.',
  },

  import_already_running: {
    advice: 'Wait until the running migration is finished: it goes on by itself, also after days.',
  },
  idempotency_key_reused: { advice: 'Use a new key for a new request.' },
  idempotency_in_progress: {
    advice: 'Repeat the identical request shortly afterwards: it gets the answer of the first.',
  },

  account_unavailable: { advice: 'Retry. Nothing was written.' },
  documents_unavailable: { advice: 'Retry with the same cursor.' },
  document_unavailable: { advice: 'Retry.' },
  recipients_unavailable: { advice: 'Retry.' },
  imports_unavailable: { advice: 'Retry.' },
  drive_unavailable: { advice: 'Retry later with the same `Idempotency-Key`.' },
  import_not_started: { advice: 'Retry with the same `Idempotency-Key`.' },
  document_create_failed: {
    advice:
      'Nothing was created, or its answer was lost: the same `Idempotency-Key` makes the repetition safe either way.',
  },
  document_send_failed: { advice: 'The same `Idempotency-Key` makes the repetition safe.' },
  idempotency_store_failed: { advice: 'The write was refused so that a repetition cannot write twice.' },
  key_lookup_failed: { advice: 'The key may be good. Retry.' },
  tenant_resolution_failed: { advice: 'Retry. If it stays, the operator of the server has to look at the account.' },
  tenant_divergence: {
    advice: 'What was read belongs to another company, so nothing was shown. Report the `request_id`.',
  },
  internal_error: { advice: 'Retry. If it stays, report the `request_id`.' },
};
