/**
 * The catalogue of error codes, each with its family and message. Each family has one HTTP status. Only `api_error` has two:
 * it is 502 when a downstream dependency failed.
 */
export const errorStatus = {
  authentication_error: 401,
  permission_error: 403,
  validation_error: 400,
  not_found: 404,
  rate_limit_error: 429,
  idempotency_error: 409,
  api_error: 500,
} as const;

export type ErrorType = keyof typeof errorStatus;

export interface ErrorDefinition {
  type: ErrorType;
  message: string;
  /** Set when it differs from the family's status, because a downstream dependency failed. */
  status?: 502;
}

const authentication = (message: string) => ({ type: 'authentication_error', message }) as const;
const permission = (message: string) => ({ type: 'permission_error', message }) as const;
const validation = (message: string) => ({ type: 'validation_error', message }) as const;
const notFound = (message: string) => ({ type: 'not_found', message }) as const;
const rateLimit = (message: string) => ({ type: 'rate_limit_error', message }) as const;
const idempotency = (message: string) => ({ type: 'idempotency_error', message }) as const;
const failure = (message: string) => ({ type: 'api_error', message }) as const;
const downstream = (message: string) => ({ type: 'api_error', message, status: 502 }) as const;

export const errorCatalogue = {
  missing_authorization: authentication('No Authorization header. Send "Authorization: Bearer <API_KEY>".'),
  invalid_api_key: authentication('The API key is not valid. Check that it is complete, not revoked and not expired.'),

  insufficient_scope: permission('The API key lacks the scope this endpoint requires.'),
  api_access_required: permission("The company's plan has no API access."),
  key_company_unavailable: permission('The company this API key belongs to is not available.'),
  cloud_import_requires_pro: permission('Drive and file-store imports need the Pro plan or above.'),
  cloud_import_unavailable: permission('Drive and file-store imports are switched off on this server.'),
  cloud_import_test_key: permission('Drive and file-store imports need a live key.'),
  test_key_required: permission('Test events need a test key.'),
  import_quota_exceeded: permission("The plan's import quota is used up. Nothing was imported or downloaded."),

  invalid_json: validation('The request body is not valid JSON in UTF-8.'),
  request_too_large: validation('The request body is larger than this server accepts.'),
  invalid_body: validation('The request body, or an object inside it, is not a JSON object.'),
  headers_too_large: validation('The request headers are larger than this server accepts.'),
  malformed_request: validation('The request is not valid HTTP.'),
  request_timeout: validation('The request did not arrive completely in time.'),
  invalid_limit: validation('limit must be a whole number from 1 to 100.'),
  invalid_cursor: validation('The cursor was not issued by this service for this list.'),
  conflicting_cursors: validation('Send starting_after or ending_before, not both.'),
  invalid_status: validation('status must be a comma-separated list of known statuses.'),
  invalid_idempotency_key: validation('Idempotency-Key must be at most 255 characters.'),
  invalid_title: validation('title must be 1 to 200 characters and not only white space.'),
  invalid_type: validation('type must be one of the document types.'),
  invalid_primary_language: validation('primary_language must be "en" or "es".'),
  invalid_recipients: validation('recipients must be an array of 1 to 20 recipients.'),
  invalid_recipient_name: validation('A recipient needs a name of 1 to 120 characters and not only white space.'),
  invalid_channel: validation('channel must be "email", "sms" or "in_person".'),
  invalid_recipient_email: validation('email must be a plausible address of at most 254 characters.'),
  missing_recipient_email: validation('A recipient reached by e-mail needs an email.'),
  invalid_recipient_phone: validation('phone must be text of at most 40 characters.'),
  missing_recipient_phone: validation('A recipient reached by SMS, or verified by an SMS code, needs a phone.'),
  invalid_recipient_role: validation('role must be text of at most 60 characters.'),
  invalid_sign_order: validation('sign_order must be a positive whole number of at most 2147483647.'),
  invalid_auth_level: validation(
    'auth_level must be "l0_email_link", "l1_email_sms_otp" or "l0_account_session"; the second is not for cc and approver.',
  ),
  invalid_content_message: validation('content.message must be text of at most 2000 characters.'),
  invalid_sign_order_mode: validation('content.sign_order_mode must be "sequential" or "parallel".'),
  invalid_expires_in_days: validation('content.expires_in_days must be a whole number from 1 to 365.'),
  document_not_completed: validation('The document is not completed and sealed yet.'),
  document_not_sendable: validation('Only a document whose status is draft or in_review can be sent.'),
  no_recipients: validation('The document has no recipients.'),
  no_signers: validation('Every recipient of the document is copy-only: there is nobody to sign.'),
  recipient_contact_required: validation('A recipient lacks the contact detail its channel needs.'),
  approver_requires_sequential: validation('A document with an approver must be signed in sequence.'),
  pay_app_unsigned: validation('The document mirrors another whose own signature block is still blank.'),
  invalid_source: validation('source must be "esign_vendor", "cloud_drive" or "cloud_files".'),
  invalid_files: validation('files must be an array of 1 to 25 files.'),
  invalid_file_url: validation('url must be a link to exactly one file in the file store.'),
  invalid_file_id: validation('id must be a drive file id.'),
  invalid_access_token: validation('access_token must be a drive access token with a read scope.'),
  invalid_unlock_doc: validation('unlock_doc must be true or false.'),
  drive_token_rejected: validation('The drive provider refused the access token.'),
  invalid_event: validation('event must be one of the event types.'),
  invalid_earliest: validation('earliest must be a time as in RFC 3339 or ISO 8601, or a date.'),
  esign_not_connected: validation('Connect the e-signature vendor in Settings first.'),

  document_not_found: notFound('No such document.'),
  import_not_found: notFound('No such import.'),
  route_not_found: notFound('No such endpoint.'),

  rate_limit_exceeded: rateLimit('The rate budget is used up.'),
  ip_throttled: rateLimit('Too many requests from this address. Slow down.'),
  server_busy: rateLimit('The server has more requests than it can answer in time. Try again after a moment.'),

  import_already_running: idempotency('A migration is already running for this connection.'),
  idempotency_key_reused: idempotency('This Idempotency-Key was already used with a different body.'),
  idempotency_in_progress: idempotency('An earlier request with this Idempotency-Key is still running.'),

  account_unavailable: failure('The account cannot be read at the moment.'),
  documents_unavailable: failure('Documents cannot be listed at the moment.'),
  document_unavailable: failure('The document cannot be read at the moment.'),
  recipients_unavailable: failure('The recipients cannot be read at the moment.'),
  imports_unavailable: failure('Imports cannot be read at the moment.'),
  drive_unavailable: downstream('The drive provider cannot be reached at the moment. Nothing was started.'),
  import_not_started: downstream('The import could not be started. Nothing was queued or downloaded.'),
  document_create_failed: failure(
    'The document could not be created. Nothing was created; retry with the same Idempotency-Key.',
  ),
  document_send_failed: failure('The document could not be sent. Retry with the same Idempotency-Key.'),
  idempotency_store_failed: failure(
    'The Idempotency-Key could not be recorded, so nothing was written. Retry with the same key.',
  ),
  key_lookup_failed: failure('The API key cannot be checked at the moment.'),
  tenant_resolution_failed: failure('The company of this API key cannot be resolved at the moment.'),
  tenant_divergence: failure('A safety check stopped this request.'),
  internal_error: failure('Something went wrong on our side.'),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Most failures end with a new connection. A client that meets a longer one waits longer each time. */
export const failureRetrySeconds = 2;

interface ApiErrorOptions {
  /** The offending input, such as `recipients[2].email`. */
  param?: string;
  /** Replaces the catalogue's message with a more exact one. */
  message?: string;
  /** Seconds, sent as `Retry-After`. Every 5xx has one, by default `failureRetrySeconds`. */
  retryAfterSeconds?: number;
  /** The cause. It is logged and never sent. */
  cause?: unknown;
}

/** An error for the client. Any other thrown error becomes `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly type: ErrorType;
  readonly status: number;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const definition: ErrorDefinition = errorCatalogue[code];
    super(options.message ?? definition.message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.type = definition.type;
    this.status = definition.status ?? errorStatus[definition.type];
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status >= 500 ? failureRetrySeconds : undefined);
  }
}

/** A fault that the operator must fix before the service can start. Printed as one line without a stack. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    // Quoted text, such as a file that is not JSON, may have line breaks.
    super(message.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' '), options);
    this.name = 'OperatorError';
  }
}

/** An action that the rules refuse, with one sentence for the person who asked. Exit code 1 of the command line. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}
