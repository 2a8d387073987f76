/** What the console is told when a wish cannot be granted. Its pages explain each code in their language. */
export const consoleErrors = {
  invalid_json: [400, 'The request body is not valid JSON.'],
  invalid_input: [400, 'Something in the request is missing or wrong.'],
  invalid_url: [400, 'The address must be a public https one.'],
  unsafe_password: [400, 'A password must have 8 to 200 characters.'],
  common_password: [400, 'This password is too easy to guess. Choose one that nobody else would think of.'],
  personal_password: [
    400,
    "Choose a password that isn't made of your name, your company's name or your e-mail address.",
  ],
  invalid_earliest: [400, 'The earliest date is no date.'],
  wrong_credentials: [401, 'The e-mail address or the password is wrong.'],
  wrong_code: [401, 'The code is wrong, was used already or has run out.'],
  wrong_passkey: [401, 'The passkey was not accepted.'],
  not_signed_in: [401, 'Sign in first.'],
  forbidden: [403, 'Your role does not allow this.'],
  sign_in_again: [403, "Confirm that it's you first: with your password, a code or a passkey, or by signing in again."],
  import_quota_exceeded: [403, "The plan's import limits do not allow it. Nothing was imported."],
  plan_required: [403, 'The plan of the company does not include this.'],
  foreign_origin: [403, 'Only the pages of this service may do this.'],
  wrong_password: [403, 'The current password is wrong.'],
  not_found: [404, 'There is no such thing.'],
  totp_is_on: [409, 'An authenticator is set up already. Remove it first.'],
  totp_is_off: [409, 'No authenticator is set up.'],
  passkeys_unavailable: [409, 'Passkeys need this service to be opened by a name, not by an IP address.'],
  too_many_passkeys: [409, 'There are as many passkeys as there can be. Remove one first.'],
  member_exists: [409, 'This person is a member already.'],
  connections_unavailable: [409, 'This service is not registered with the e-signature vendor.'],
  esign_not_connected: [409, 'The e-signature vendor is not connected.'],
  import_already_running: [409, 'A migration is running already.'],
  changed_meanwhile: [409, 'It was changed meanwhile. Look at it as it is now, and try again.'],
  text_too_large: [409, 'There is more text than a page or a document holds.'],
  nothing_to_render: [409, 'The document has no text left to make a PDF of.'],
  rendering_failed: [409, 'Making the PDF takes too long or too much memory.'],
  refused: [409, 'The document does not allow this as it is now.'],
  document_not_sendable: [409, 'Only a document that was not sent yet can be sent.'],
  no_recipients: [409, 'The document has no parties.'],
  no_signers: [409, 'Nobody on the document signs: everybody only gets a copy.'],
  recipient_contact_required: [409, 'A party lacks the address or number that it is to be asked at.'],
  approver_requires_sequential: [409, 'A document with an approver must be signed in order.'],
  pay_app_unsigned: [409, 'The document that this one mirrors is not completed yet.'],
  invalid_pdf: [409, 'The file is no PDF that can be signed here.'],
  file_too_large: [409, 'The file is too large.'],
  not_sealed_yet: [409, 'The completed PDF is being made. Try again in a moment.'],
  page_unavailable: [503, 'This page cannot be shown.'],
  last_owner: [409, 'A company needs an owner: make somebody else one first.'],
  too_many_endpoints: [409, 'There are as many webhook endpoints as there can be. Remove one first.'],
  too_many_secrets: [
    409,
    'Three signing secrets are valid already. Roll again when the oldest has ended, at most 24 hours from now.',
  ],
  link_spent: [410, 'This link was used already or has run out.'],
  too_many_tries: [429, 'Too many tries. Wait a while.'],
  temporarily_unavailable: [500, 'The service cannot do this at the moment.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ConsoleErrorCode = keyof typeof consoleErrors;

export function isConsoleCode(code: string): code is ConsoleErrorCode {
  return Object.hasOwn(consoleErrors, code);
}

export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode;
  readonly status: number;
  /** The offending property of the body. */
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ConsoleErrorCode, options: ErrorOptions & { param?: string; retryAfterSeconds?: number } = {}) {
    super(consoleErrors[code][1], options);
    this.name = 'ConsoleError';
    this.code = code;
    this.status = consoleErrors[code][0];
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
