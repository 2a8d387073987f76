/**
 * Why a visitor of a public link gets no further. `not_open`: its page says more. `already_used`: someone else was asked instead of
 * them.
 */
export const linkErrorStatus = {
  not_open: 409,
  invalid_name: 400,
  invalid_email: 400,
  invalid_code: 400,
  already_used: 409,
  too_many: 429,
  code_not_sent: 502,
  mail_unavailable: 502,
} as const;

export type LinkErrorCode = keyof typeof linkErrorStatus;

export class LinkError extends Error {
  readonly code: LinkErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: LinkErrorCode, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(`public link: ${code}`, options);
    this.name = 'LinkError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
