import { expect } from 'vitest';
import type { Answer } from '../support/service.ts';

/** Internals that no failure may reveal: SQL, file names and the address of the database. */
const internals =
  /\b(select|insert|update|delete|from|relation|column|constraint|trigger|transaction|postgres\w*|pg_\w+|ECONN\w+|127\.0\.0\.1:\d+|\w+\.ts|node_modules)\b/i;

/** Expects a documented 500 in the envelope of spec.md, without internals. */
export function expectFailure(answer: Answer, code: string, ...secrets: string[]): void {
  expect({ status: answer.status, code: answer.body?.error?.code }, answer.text).toEqual({ status: 500, code });
  expect(answer.headers.get('retry-after')).toBe('2');
  const requestId = answer.headers.get('x-request-id');
  expect(requestId).toMatch(/^req_[0-9a-f]{24}$/);
  expect(answer.body).toEqual({
    error: {
      type: 'api_error',
      code,
      message: expect.stringMatching(/^[A-Z].*\.$/),
      doc_url: expect.stringMatching(/^http.*\/docs#api_error$/),
      request_id: requestId,
    },
  });
  expect(answer.body.error.message).not.toMatch(internals);
  for (const secret of secrets) expect(answer.text).not.toContain(secret);
}
