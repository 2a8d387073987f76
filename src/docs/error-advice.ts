import type { ErrorCode, ErrorType } from '../errors.ts';

interface Advice {
  /** What to do, in addition to the message. */
  advice: string;
  /** The `param` of the error when no schema names the code. */
  param?: string;
}

/** Advice for clients on each error code. The compiler reports missing codes. */
export const errorAdvice: Record<ErrorCode, Advice> = {
  missing_authorization: {
    advice:
      'Send the header with every request. A client that follows a redirect may have dropped it: call the base address itself.',
  },
  invalid_api_key: {
    advice:
      'Check the key for a missing or added character. If it is complete, it was revoked or has expired: use a new one. The answer never says which.',
  },

  insufficient_scope: {
    advice: 'Scopes cannot be added to a key: create one that has this scope. The message names it.',
    param: 'scopes',
  },
  api_access_required: { advice: 'Move the account to a plan with API access. Its keys then work again.' },
  key_company_unavailable: { advice: 'The company was removed. Its keys do not come back.' },
  cloud_import_requires_pro: { advice: 'Move the account to the Pro plan or above.' },
  cloud_import_unavailable: { advice: 'Ask the operator of this server. Vendor migrations are not affected.' },
  cloud_import_test_key: { advice: 'Repeat the request with a live key.' },
  test_key_required: { advice: 'Send it with a key that starts with `svc_test_`.', param: 'event' },
  import_quota_exceeded: {
    advice:
      'Wait for the next UTC day, or month for storage, or move to a larger plan. Running imports count until their files are stored.',
  },

  invalid_json: { advice: 'Send one JSON value in UTF-8. An empty body is refused where a body is required.' },
  request_too_large: { advice: 'Send less. The connection is closed, because the rest of the body is not read.' },
  invalid_body: {
    advice: 'Send an object at the top level and wherever the reference says object: not an array, a scalar or null.',
    param: 'body',
  },
  headers_too_large: {
    advice: 'Send fewer or shorter headers, especially cookies. This is answered before the key is read.',
  },
  malformed_request: {
    advice: 'Check the HTTP client, and any proxy between it and the server. This is answered before the key is read.',
  },
  request_timeout: {
    advice:
      'Send the whole request without pauses. A write without an answer is safe to repeat with the same `Idempotency-Key`.',
  },
  invalid_limit: { advice: 'Ask for 1 to 100. A number out of range is refused, not clamped.' },
  invalid_cursor: {
    advice: 'Send an unchanged `next_cursor` of the same list, or start from the beginning without a cursor.',
  },
  conflicting_cursors: { advice: 'Choose one direction.', param: 'starting_after' },
  invalid_status: { advice: 'One unknown value refuses the whole request. There are no spaces between the values.' },
  invalid_idempotency_key: { advice: 'A UUID is a good key.' },
  invalid_title: { advice: 'Shorten it, or add a visible character. Lengths count Unicode code points.' },
  invalid_type: {
    advice: 'Use one of the types listed with [POST /documents](#create-document), or leave it out for `form`.',
  },
  invalid_primary_language: { advice: 'Leave it out for English.' },
  invalid_recipients: { advice: 'A document has 1 to 20 recipients.' },
  invalid_recipient_name: { advice: 'White space alone is not a name.' },
  invalid_channel: { advice: 'Leave it out for `email`.' },
  invalid_recipient_email: { advice: 'One address, without a display name.' },
  missing_recipient_email: {
    advice:
      'Give the recipient an `email`, or another `channel`. A recipient without a `channel` is reached by e-mail.',
    param: 'recipients[N].email',
  },
  invalid_recipient_phone: {
    advice: 'Only the length is checked. Prefer the international form: +44 20 7946 0018.',
  },
  missing_recipient_phone: {
    advice: 'Give the recipient a `phone`, or another `channel` or `auth_level`.',
    param: 'recipients[N].phone',
  },
  invalid_recipient_role: { advice: 'Any short text. Only `cc` and `approver` have a special meaning.' },
  invalid_sign_order: { advice: 'Leave it out to use the position in the array.' },
  invalid_auth_level: { advice: 'A `cc` and an `approver` cannot have `l1_email_sms_otp`.' },
  invalid_content_message: { advice: 'Shorten it. Lengths count Unicode code points.' },
  invalid_sign_order_mode: { advice: 'Leave it out for `parallel`.' },
  invalid_expires_in_days: { advice: 'Leave it out for a document that does not expire.' },
  document_not_completed: {
    advice:
      'Wait for `document.completed`, or poll the document until its `status` is `completed`. Sealing takes a few more seconds: retry then. It stays so when the file was erased, and while its seal is stopped.',
    param: 'status',
  },
  document_not_sendable: {
    advice:
      'It was sent before, perhaps by the request you are repeating. Send an `Idempotency-Key`, and a repeated request gets the first answer.',
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
  pay_app_unsigned: {
    advice:
      'Wait until the document it mirrors is `completed`. If that was voided or declined, or has expired, create the document again, or mirror another.',
  },
  invalid_source: { advice: 'Use one of the three sources.' },
  invalid_files: { advice: 'Split a longer list into several imports.', param: 'files' },
  invalid_file_url: {
    advice:
      'Send a shared, direct or temporary link to one file. Links to folders, transfers and trackers are refused.',
    param: 'files[N].url',
  },
  invalid_file_id: { advice: 'Send the id of the file in the drive, not its URL.', param: 'files[N].id' },
  invalid_access_token: { advice: 'Send the token that your application got from the drive.', param: 'access_token' },
  invalid_unlock_doc: { advice: 'Leave it out for true.', param: 'unlock_doc' },
  drive_token_rejected: {
    advice: 'Refresh the token and repeat the request with the same `Idempotency-Key`.',
    param: 'access_token',
  },
  invalid_event: { advice: 'Use a name of the [table of events](#webhooks).', param: 'event' },
  invalid_earliest: { advice: 'Leave it out to import everything.', param: 'earliest' },
  esign_not_connected: {
    advice:
      'Ask an owner to connect it in Settings, in a browser; a key cannot. A connection that the vendor ended must be made again.',
    param: 'source',
  },

  document_not_found: {
    advice: 'The id is malformed, unknown or of another account, or the document is a template or restricted.',
  },
  import_not_found: { advice: 'The id is malformed, unknown or of another account.' },
  route_not_found: { advice: 'Compare path and method with this reference.' },

  rate_limit_exceeded: {
    advice: 'The message names the budget. The `X-RateLimit` headers show both. See [rate limits](#rate-limits).',
  },
  ip_throttled: {
    advice:
      'Spread the requests out. All clients behind one address share a limit. An IPv6 /64 network counts as one address.',
  },
  server_busy: { advice: 'Nothing was done, and no budget was spent. Retry after `Retry-After`, later each time.' },

  import_already_running: {
    advice: 'Wait until the running migration is finished. It continues by itself, even for days.',
  },
  idempotency_key_reused: { advice: 'Use a new key for a new request.' },
  idempotency_in_progress: {
    advice: 'Repeat the identical request after a moment. It gets the answer of the first one.',
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
      'Nothing was created, or the answer was lost. Repeat the request with the same `Idempotency-Key`: that is safe either way.',
  },
  document_send_failed: { advice: 'Repeat the request with the same `Idempotency-Key`.' },
  idempotency_store_failed: { advice: 'Retry. The write was refused so that a repeated request cannot write twice.' },
  key_lookup_failed: { advice: 'Retry. The key may be valid.' },
  tenant_resolution_failed: { advice: 'Retry. If it persists, ask the operator of the server to check the account.' },
  tenant_divergence: {
    advice: 'The data that was read belongs to another company, so nothing was shown. Report the `request_id`.',
  },
  internal_error: { advice: 'Retry. If it persists, report the `request_id`.' },
};

/** Meaning of each error type, and what a client should do. */
export const typeAdvice: Record<ErrorType, string> = {
  authentication_error: 'The request has no valid key. Do not retry. Correct the key first.',
  permission_error:
    'The key is valid but may not do this, because of its scopes, its company or the plan. Do not retry.',
  validation_error: 'The request breaks a rule. Nothing was written. Correct what `param` names and send it again.',
  not_found:
    'Nothing was found for this key. The answer is the same for objects of another account and objects that do not exist.',
  rate_limit_error:
    'Too many requests. Nothing was done and nothing was spent. Wait the number of seconds in `Retry-After`.',
  idempotency_error: 'The request conflicts with another one that was sent earlier or is still running.',
  api_error:
    'The server failed, or (502) a service it depends on. Retry with growing pauses. Repeat a write with the same `Idempotency-Key`.',
};
