import type { ReassignedLink } from './signing-link.ts';
import type { SigningState } from './signing-state.ts';

/** HTTP status of each error code that signing pages receive. The page shows the text in its own language. */
export const signingErrorStatus = {
  link_unknown: 404,
  document_voided: 409,
  document_declined: 409,
  document_expired: 409,
  document_completed: 409,
  already_signed: 409,
  already_declined: 409,
  not_your_turn: 409,
  verification_required: 403,
  invalid_code: 400,
  too_many_codes: 429,
  code_not_sent: 502,
  too_many_links: 429,
  link_not_sent: 502,
  invalid_full_name: 400,
  invalid_signature: 400,
  saved_unavailable: 409,
  invalid_reason: 400,
  consent_required: 400,
  delegation_off: 403,
  comments_off: 403,
  too_many_comments: 409,
  invalid_comment: 400,
  invalid_name: 400,
  invalid_email: 400,
  invalid_phone: 400,
  same_person: 400,
  fields_missing: 400,
  invalid_field: 400,
  file_type_refused: 400,
  file_too_large: 413,
  too_many_uploads: 429,
  malformed_request: 400,
  page_unavailable: 503,
  temporarily_unavailable: 500,
} as const;

export type SigningErrorCode = keyof typeof signingErrorStatus;

export class SigningError extends Error {
  readonly code: SigningErrorCode;
  /** The mark or the id of the field that is concerned. The page needs it to say where the problem is. */
  readonly param: string | undefined;
  /** Delay before the client should try again, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  /** What the page of a link says whose recipient was reassigned. */
  readonly reassigned: ReassignedLink | undefined;

  constructor(
    code: SigningErrorCode,
    options: ErrorOptions & {
      param?: string | undefined;
      retryAfterSeconds?: number;
      reassigned?: ReassignedLink | undefined;
    } = {},
  ) {
    super(`signing: ${code}`, options);
    this.name = 'SigningError';
    this.code = code;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reassigned = options.reassigned;
  }
}

/** Returns the error code that explains why a document in this state cannot be signed or declined. */
export function refusalOf(state: Exclude<SigningState, { kind: 'open' }>): SigningErrorCode {
  switch (state.kind) {
    case 'voided':
      return 'document_voided';
    case 'declined':
      return state.bySelf ? 'already_declined' : 'document_declined';
    case 'expired':
      return 'document_expired';
    case 'completed':
      return 'document_completed';
    case 'signed':
    case 'approved':
      return 'already_signed';
    case 'needs_code':
    case 'needs_account':
      return 'verification_required';
    case 'waiting':
    case 'copy':
      return 'not_your_turn';
  }
}
