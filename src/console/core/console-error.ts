import { ccListRefusals } from '../../accounts/cc-lists.ts';
import { folderRefusals } from '../../accounts/folders.ts';
import { linkRefusals } from '../../public-link/manage-links.ts';

/** Errors of the console API. The pages translate each code. */
export const consoleErrors = {
  invalid_json: [400, 'The request body is not valid JSON.'],
  invalid_input: [400, 'Something in the request is missing or wrong.'],
  invalid_url: [400, 'Enter a public https address.'],
  invalid_destination: [400, 'Enter a public https address, or the host and port of a public syslog server.'],
  unsafe_password: [400, 'A password must have 8 to 200 characters.'],
  common_password: [400, 'This password is too easy to guess. Choose one that is harder to guess.'],
  personal_password: [
    400,
    'Choose a password that isn’t made of your name, your company’s name or your e-mail address.',
  ],
  invalid_earliest: [400, 'Enter a valid earliest date.'],
  wrong_credentials: [401, 'The e-mail address or the password is wrong.'],
  wrong_code: [401, 'The code is wrong, expired or already used.'],
  wrong_passkey: [401, 'The passkey was not accepted.'],
  not_signed_in: [401, 'Sign in first.'],
  forbidden: [403, 'Your role does not allow this.'],
  sign_in_again: [403, 'Confirm that it’s you first: with your password, a code or a passkey, or by signing in again.'],
  own_sign_in_needed: [403, 'You signed in with your company’s single sign-on. Sign in in another way to change this.'],
  factor_locked: [
    403,
    'A company of yours opens with single sign-on only, so a session like this one can’t add an authenticator or a passkey.',
  ],
  operator_factor_needed: [
    403,
    'Sign in with a passkey or an authenticator that you had when you were made an operator.',
  ],
  sso_failed: [403, 'The sign-in with single sign-on failed.'],
  import_quota_exceeded: [403, 'The plan’s import limits do not allow it. Nothing was imported.'],
  plan_required: [403, 'The plan of the company does not include this.'],
  foreign_origin: [403, 'Only the pages of this service may do this.'],
  wrong_password: [403, 'The current password is wrong.'],
  not_found: [404, 'Not found.'],
  totp_is_on: [409, 'An authenticator is set up already. Remove it first.'],
  totp_is_off: [409, 'No authenticator is set up.'],
  passkeys_unavailable: [409, 'Passkeys need this service to be opened by a name, not by an IP address.'],
  too_many_passkeys: [409, 'You have reached the maximum number of passkeys. Remove one first.'],
  member_exists: [409, 'This person is already a member.'],
  connections_unavailable: [409, 'This service is not registered with the e-signature vendor.'],
  esign_not_connected: [409, 'The e-signature vendor is not connected.'],
  import_already_running: [409, 'An import from the vendor is already running.'],
  other_person: [409, 'Someone else is signed in now. Load the page again.'],
  other_company: [409, 'The session works in another company now. Switch back, or load the other one.'],
  changed_meanwhile: [409, 'Someone else changed this. Reload it and try again.'],
  text_too_large: [409, 'There is too much text for one page or document.'],
  nothing_to_render: [409, 'The document has no text to create a PDF from.'],
  rendering_failed: [409, 'The text is too large to render as a PDF.'],
  refused: [409, 'The document’s current state doesn’t allow this.'],
  fields_unfit: [409, 'Some fields do not fit on the new file, or need one that does not.'],
  formula_unfit: [409, 'A calculated field would use a number that it can’t use.'],
  data_export_running: [409, 'A data export is being created. Wait until it is ready, or cancel it.'],
  too_many_data_exports: [409, 'You have reached the maximum number of data exports. Delete one first.'],
  too_many_bulk_sends: [409, 'The template has too many files that were not sent. Send or delete one first.'],
  rows_with_faults: [409, 'Some rows have faults. Correct them, or send the other rows only.'],
  no_rows_to_send: [409, 'No row can be sent. Correct the file and upload it again.'],
  link_needs_role: [409, linkRefusals.link_needs_role],
  link_has_many_roles: [409, linkRefusals.link_has_many_roles],
  link_role_unreachable: [409, linkRefusals.link_role_unreachable],
  invalid_link_end: [409, linkRefusals.invalid_link_end],
  too_many_public_links: [409, linkRefusals.too_many_public_links],
  folder_exists: [409, folderRefusals.folder_exists],
  too_many_folders: [409, folderRefusals.too_many_folders],
  folder_not_empty: [409, folderRefusals.folder_not_empty],
  cc_list_exists: [409, ccListRefusals.cc_list_exists],
  too_many_cc_lists: [409, ccListRefusals.too_many_cc_lists],
  invalid_send_time: [409, 'Choose a time at least a minute and at most a year ahead.'],
  document_not_sendable: [409, 'This document was already sent.'],
  no_recipients: [409, 'Add at least one recipient.'],
  no_signers: [409, 'Add at least one signer.'],
  recipient_contact_required: [409, 'Every recipient needs an e-mail address or phone number.'],
  approver_requires_sequential: [409, 'Documents with an approver must be signed in order.'],
  pay_app_unsigned: [409, 'The document that this one mirrors is not completed yet.'],
  invalid_pdf: [409, 'The file isn’t a PDF that can be signed.'],
  file_too_large: [409, 'The file is too large.'],
  too_many_parts: [409, 'The document has 20 files already.'],
  not_sealed_yet: [409, 'The completed PDF is being prepared. Try again in a moment.'],
  no_complete_certificate: [409, 'A person was erased in this document, so it has no complete certificate.'],
  page_unavailable: [503, 'We can’t show this page.'],
  last_owner: [409, 'A company needs at least one owner. Make someone else an owner first.'],
  invalid_logo: [409, 'Choose a PNG without interlacing, or a JPEG, of at most 1000 × 500 pixels.'],
  invalid_host: [400, 'Enter a full host name, such as documents.acme.example.'],
  host_too_short: [400, 'Enter a name of your company, such as documents.acme.example.'],
  host_of_service: [400, 'This is a host of the service itself. Enter one of your company.'],
  other_host: [409, 'Your company has another host. Remove it first.'],
  custom_domain_unavailable: [409, 'This service has no public address that your host could lead to.'],
  unknown_variable: [400, 'The text has a variable that does not exist, or braces that are not closed.'],
  too_many_endpoints: [409, 'You have reached the maximum number of webhook endpoints. Remove one first.'],
  too_many_secrets: [
    409,
    'Three signing secrets are valid already. Roll again when the oldest has ended, at most 24 hours from now.',
  ],
  too_many_events: [
    409,
    'Too many events match, or too many would have to be searched. Choose a shorter time range or add a filter.',
  ],
  secret_needed: [409, 'A new issuer or client id needs its client secret.'],
  sso_untried: [409, 'Nobody has signed in with these settings yet. Sign in once with them before you require them.'],
  owner_factor_needed: [
    409,
    'One owner needs an authenticator or a passkey, as a way in that the provider is no part of.',
  ],
  too_many_domains: [409, 'You have reached the maximum number of domains. Remove one first.'],
  domain_taken: [409, 'Another company has proven this domain.'],
  domain_missing: [409, 'The TXT record isn’t there yet. New records can take hours to be seen.'],
  domain_unavailable: [409, 'The name servers of the domain don’t answer. Try again later.'],
  link_spent: [410, 'This link has expired or was already used.'],
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
  /** The part of the property that is wrong. */
  readonly value: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ConsoleErrorCode,
    options: ErrorOptions & { param?: string; value?: string; retryAfterSeconds?: number } = {},
  ) {
    super(consoleErrors[code][1], options);
    this.name = 'ConsoleError';
    this.code = code;
    this.status = consoleErrors[code][0];
    this.param = options.param;
    this.value = options.value;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
