import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { call, createCompany, startTestService, type TestService } from '../support/service.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let key: string;

beforeAll(async () => {
  app = await startTestService();
  key = (await createCompany(app)).key;
});
afterAll(() => app.stop());

/** Every error code of a body, with the params that it may name. */
const paramsOf: Partial<Record<ErrorCode, RegExp>> = {
  invalid_body: /^body$/,
  invalid_title: /^title$/,
  invalid_type: /^type$/,
  invalid_primary_language: /^primary_language$/,
  invalid_recipients: /^recipients$/,
  invalid_recipient_name: /^recipients\[\d+\]\.name$/,
  invalid_recipient_email: /^recipients\[\d+\]\.email$/,
  missing_recipient_email: /^recipients\[\d+\]\.email$/,
  invalid_recipient_phone: /^recipients\[\d+\]\.phone$/,
  missing_recipient_phone: /^recipients\[\d+\]\.phone$/,
  invalid_recipient_role: /^recipients\[\d+\]\.role$/,
  invalid_channel: /^recipients\[\d+\]\.channel$/,
  invalid_sign_order: /^recipients\[\d+\]\.sign_order$/,
  invalid_auth_level: /^recipients\[\d+\]\.auth_level$/,
  invalid_content_message: /^content\.message$/,
  invalid_sign_order_mode: /^content\.sign_order_mode$/,
  invalid_expires_in_days: /^content\.expires_in_days$/,
};

const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 250 }));
const anything = fc.oneof(
  { depthSize: 'small' },
  fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }),
  fc.constantFrom(null, '', 0, -1, 1.5, 1e300, true, [], {}, [null], '\u0000', '\ud800'),
);
/** Mostly what a client would send, sometimes anything. */
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 24, arbitrary: usual }, { weight: 1, arbitrary: anything });

const recipient = fc.record(
  {
    name: mostly(fc.oneof(fc.constant('Ada'), text)),
    email: mostly(fc.oneof({ weight: 4, arbitrary: fc.constant('ada@example.com') }, fc.emailAddress(), text)),
    phone: mostly(fc.oneof(fc.constant('+15550100'), text)),
    role: mostly(fc.oneof(fc.constantFrom('cc', 'approver', 'Owner'), text)),
    channel: mostly(fc.constantFrom('email', 'sms', 'in_person')),
    sign_order: mostly(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer())),
    auth_level: mostly(fc.constantFrom('l0_email_link', 'l1_email_sms_otp', 'l0_account_session')),
  },
  { requiredKeys: ['name', 'email'] },
);
const likeADocument = fc.record(
  {
    title: mostly(fc.oneof(fc.constant('Roof repair'), text)),
    recipients: mostly(fc.array(mostly(recipient), { minLength: 1, maxLength: 4 })),
    type: mostly(fc.constantFrom('form', 'contract', 'w9')),
    primary_language: mostly(fc.constantFrom('en', 'es')),
    content: mostly(
      fc.record(
        {
          message: mostly(text),
          sign_order_mode: mostly(fc.constantFrom('sequential', 'parallel')),
          expires_in_days: mostly(fc.integer({ min: -1, max: 400 })),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: ['title', 'recipients'] },
);

test('any JSON is a draft or a refusal that names its code and its field, never a failure of ours', async () => {
  const seen = { created: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 9, arbitrary: likeADocument }, { weight: 1, arbitrary: anything }),
      async (body) => {
        const answer = await call(app, 'POST', '/documents', { key, body: body ?? null });
        if (answer.status === 201) {
          seen.created += 1;
          expect(answer.body.title).toBe((body as { title: string }).title);
          return;
        }
        seen.refused += 1;
        const { code, param } = answer.body.error;
        expect(paramsOf, `${code} on ${param}`).toHaveProperty(code);
        expect(param).toMatch(paramsOf[code as ErrorCode] as RegExp);
        expectRefusal(answer, code, param);
      },
    ),
    { numRuns: 600 },
  );
  expect(seen.created).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(20);
});

test('any bytes are a draft or a refusal, never a failure of ours', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const { status, body } = await call(app, 'POST', '/documents', { key, raw: new Uint8Array(bytes) });
      expect(status).toBe(400);
      expect(['invalid_json', 'invalid_body', 'invalid_title']).toContain(body.error.code);
    }),
    { numRuns: 200 },
  );
});
