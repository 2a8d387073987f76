/** Base class of every error that this package throws, except `TypeError` for wrong arguments. */
export class CountersignError extends Error {
  override name = 'CountersignError';
  /**
   * The key of the failed write, also when the client made it. A call with this key and the same input never writes twice within 24
   * hours, or the time that the operator of the server set.
   */
  readonly idempotencyKey: string | null = null;
  /**
   * Whether the write may have succeeded, or be under way: an attempt got no answer of the API, a 5xx, or
   * `idempotency_in_progress`. Repeat the call with `idempotencyKey` to learn it. False for reads.
   */
  readonly isOutcomeUnknown: boolean = false;
}

export function withWriteDetails<E extends CountersignError>(
  error: E,
  write: { idempotencyKey: string; isOutcomeUnknown: boolean },
): E {
  return Object.assign(error, write);
}

/** No complete answer arrived: the server could not be reached, or the connection broke. */
export class ConnectionError extends CountersignError {
  override name = 'ConnectionError';
}

/** No complete answer arrived within the time-out. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** A webhook that Countersign did not sign with this secret, or that is too old. Answer it with 400. */
export class WebhookSignatureError extends CountersignError {
  override name = 'WebhookSignatureError';
}

/** What the server said about a refused or failed request. */
export interface ErrorFields {
  /** HTTP status. */
  status: number;
  /** Error family, such as `validation_error`. The class of the error follows from it. */
  type: string;
  /** Exact reason, such as `invalid_title`. New codes may be added: treat an unknown one as its type. */
  code: string;
  /** Text for people. Its wording can change. */
  message: string;
  /** The input at fault, such as `recipients[2].email`. */
  param: string | null;
  /** Quote it to the operator of the server. */
  requestId: string | null;
  docUrl: string | null;
  /** When the server said how long to wait. */
  retryAfterSeconds: number | null;
}

/** A request that the server refused or could not do. Each `type` has its own class. */
export class ApiError extends CountersignError implements ErrorFields {
  override name = 'ApiError';
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly docUrl: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: ErrorFields) {
    super(fields.message);
    this.status = fields.status;
    this.type = fields.type;
    this.code = fields.code;
    this.param = fields.param;
    this.requestId = fields.requestId;
    this.docUrl = fields.docUrl;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** 401: the API key is missing or not valid. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the key's scopes, the plan or a quota don't allow it. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 400: the input, or the state of the document. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 404: no such document, import or endpoint. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 429: the budget of the account, or of this IP address, is used up. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 409: the idempotency key, or an import that is already running. */
export class IdempotencyError extends ApiError {
  override name = 'IdempotencyError';
}

/** 5xx: a failure of the server, or of a service that it depends on. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** Whether the attempt that failed with this error may have succeeded, or be under way. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.code === 'idempotency_in_progress';
}

const classes: Record<string, typeof ApiError> = {
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  validation_error: ValidationError,
  not_found: NotFoundError,
  rate_limit_error: RateLimitError,
  idempotency_error: IdempotencyError,
  api_error: ServerError,
};

const types: Record<number, string> = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  409: 'idempotency_error',
  429: 'rate_limit_error',
};

/** The error that an answer stands for. An answer that is not from the API, as of a proxy, gets its type from its status. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { status } = response;
  const given = isObject(body) && isObject(body.error) ? body.error : {};
  const type = text(given.type) ?? types[status] ?? (status >= 500 ? 'api_error' : 'validation_error');
  const Class = Object.hasOwn(classes, type) ? classes[type] : undefined;
  return new (Class ?? ApiError)({
    status,
    type,
    code: text(given.code) ?? type,
    message: text(given.message) ?? `The server answered with status ${status}.`,
    param: text(given.param),
    requestId: text(given.request_id) ?? response.headers.get('x-request-id'),
    docUrl: text(given.doc_url),
    retryAfterSeconds: retryAfterOf(response),
  });
}

function retryAfterOf(response: Response): number | null {
  const header = response.headers.get('retry-after')?.trim() ?? '';
  return /^\d{1,9}$/.test(header) ? Number(header) : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
