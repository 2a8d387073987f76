import { expect } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import type { Answer } from '../support/service.ts';

/** The error families of spec.md with their HTTP status, repeated here so that a code that moves fails a test. */
const families: Record<string, { type?: string; status: number; codes: ErrorCode[] }> = {
  authentication_error: { status: 401, codes: ['missing_authorization', 'invalid_api_key'] },
  permission_error: {
    status: 403,
    codes: [
      'insufficient_scope',
      'api_access_required',
      'key_company_unavailable',
      'cloud_import_requires_pro',
      'cloud_import_unavailable',
      'cloud_import_test_key',
      'test_key_required',
      'import_quota_exceeded',
    ],
  },
  validation_error: {
    status: 400,
    codes: [
      'invalid_json',
      'request_too_large',
      'invalid_body',
      'headers_too_large',
      'malformed_request',
      'request_timeout',
      'invalid_limit',
      'invalid_cursor',
      'conflicting_cursors',
      'invalid_status',
      'invalid_idempotency_key',
      'invalid_title',
      'invalid_type',
      'invalid_primary_language',
      'invalid_recipients',
      'invalid_recipient_name',
      'invalid_channel',
      'invalid_recipient_email',
      'missing_recipient_email',
      'invalid_recipient_phone',
      'missing_recipient_phone',
      'invalid_recipient_role',
      'invalid_sign_order',
      'invalid_auth_level',
      'invalid_content_message',
      'invalid_sign_order_mode',
      'invalid_expires_in_days',
      'document_not_completed',
      'document_not_sendable',
      'no_recipients',
      'no_signers',
      'recipient_contact_required',
      'approver_requires_sequential',
      'pay_app_unsigned',
      'invalid_source',
      'invalid_files',
      'invalid_file_url',
      'invalid_file_id',
      'invalid_access_token',
      'invalid_unlock_doc',
      'invalid_earliest',
      'invalid_event',
      'drive_token_rejected',
      'esign_not_connected',
    ],
  },
  not_found: { status: 404, codes: ['document_not_found', 'import_not_found', 'route_not_found'] },
  rate_limit_error: { status: 429, codes: ['rate_limit_exceeded', 'ip_throttled', 'server_busy'] },
  api_error: { status: 500, codes: ['account_unavailable', 'imports_unavailable', 'idempotency_store_failed'] },
  // A downstream dependency is the cause.
  api_error_downstream: { type: 'api_error', status: 502, codes: ['drive_unavailable', 'import_not_started'] },
  idempotency_error: {
    status: 409,
    codes: ['idempotency_key_reused', 'idempotency_in_progress', 'import_already_running'],
  },
};

/** Expects the envelope of spec.md, Errors, with this code and exactly this param, or none. */
export function expectRefusal(answer: Answer, code: ErrorCode, param?: string): void {
  const [type, family] = familyOf(code);
  const { error } = answer.body ?? {};
  expect({ status: answer.status, code: error?.code, param: error?.param }).toEqual({
    status: family.status,
    code,
    param,
  });
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(error).toStrictEqual({
    type,
    code,
    message: expect.stringMatching(/\S/),
    ...(param === undefined ? {} : { param }),
    doc_url: expect.stringMatching(new RegExp(`^https?://.+#${type}$`)),
    request_id: answer.headers.get('x-request-id'),
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(error.request_id).toMatch(/^\S{8,}$/);
}

function familyOf(code: ErrorCode) {
  const found = Object.entries(families).find(([, { codes }]) => codes.includes(code));
  if (found === undefined) throw new Error(`${code} is in no family of the test's table`);
  return [found[1].type ?? found[0], found[1]] as const;
}
