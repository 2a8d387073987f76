import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readConfig } from '../../src/config.ts';
import { readCreateDocumentBody, readEditDocumentBody } from '../../src/documents/create-document-body.ts';
import { ApiError, OperatorError } from '../../src/errors.ts';
import { readVendorLimits } from '../../src/esign/vendor/limits.ts';
import { readProfile } from '../../src/esign/vendor/profile.ts';
import { createCursorCodec } from '../../src/http/cursor.ts';
import { readJsonBody } from '../../src/http/json-body.ts';
import { readPageRequest } from '../../src/http/page-request.ts';
import { savedAs } from '../../src/http/saved-as.ts';
import { isToken } from '../../src/identity/token.ts';
import { readEnvelope } from '../../src/imports/esign/vendor-envelope.ts';
import { nameInDisposition } from '../../src/imports/sources/content-disposition.ts';
import { parseDriveFile } from '../../src/imports/sources/drive-file.ts';
import { retryAfterMs } from '../../src/imports/sources/patient-get.ts';
import { createLinkRules, nameInLink } from '../../src/imports/sources/store-link.ts';
import { readStartImport } from '../../src/imports/start-import-body.ts';
import { attachedNameOf, titleOf } from '../../src/imports/title-of.ts';
import { parseKey } from '../../src/keys/api-key.ts';
import { isPlausibleEmail } from '../../src/platform/email-address.ts';
import { preferredLanguage } from '../../src/platform/language.ts';
import { checkPublicUrl } from '../../src/public-fetch/check-public-url.ts';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { SigningError } from '../../src/signing/signing-error.ts';
import { readDecline, readProgress, readSignature, readVerification } from '../../src/signing/signing-form.ts';
import { withUpload } from '../../src/verify/receive-upload.ts';
import { assertSo, refusingBy, type Target } from './target.ts';

const hostile = [
  '\u0000',
  '\ufeff',
  '\u202e',
  '\ud83d',
  '\u0130',
  '\u212a',
  ' '.repeat(500),
  '%',
  '%ff',
  '"',
  '\\',
  '..',
];
const json = ['{', '[', '}', ']', '":', 'null', '1e999', '"__proto__":', '"constructor":', '[['.repeat(600), '\\ud800'];

const list = { accountId: 'a', list: 'documents' };
const cursors = createCursorCodec(Buffer.alloc(32, 1));
const links = createLinkRules({ hosts: null, allowPrivate: false });

const recipient = {
  name: 'Jane',
  email: 'jane@example.com',
  role: 'signer',
  auth_level: 'l1_email',
  phone: '+12025550123',
};
const documentBody = JSON.stringify({ title: 'Lease', content: { text: 'Hello' }, recipients: [recipient, recipient] });
const account = { account_id: '1', account_name: 'A', base_uri: 'https://demo.docusign.net', is_default: true };
const vendorProfile = JSON.stringify({ sub: '1', name: 'Jane', email: 'j@example.com', accounts: [account] });
const signed = { name: 'J', email: 'j@example.com', signedDateTime: '2024-01-01T00:00:00.000Z', routingOrder: '1' };
const vendorEnvelope = JSON.stringify({
  envelopeId: 'e1',
  status: 'completed',
  emailSubject: 'Lease',
  completedDateTime: '2024-01-01T00:00:00.0000000Z',
  recipients: { signers: [signed], carbonCopies: [signed] },
});
const importBodies = [
  '{"source":"esign_vendor","earliest":"2024-02-29T23:59:59.999+14:00","unlock_doc":false}',
  '{"source":"cloud_drive","files":[{"id":"abc"}],"access_token":"token"}',
  '{"source":"cloud_files","files":[{"url":"https://www.dropbox.com/s/abc/file.pdf?dl=0","name":"a.pdf"}]}',
];
const png = drawnSignature(40, 20).toString('base64');
const signingForms = [
  { full_name: 'Jane Doe', signature: { kind: 'typed' }, disclosure: '1', fields: { a: 'b', c: true } },
  { full_name: 'Jane', signature: { kind: 'drawn', png }, disclosure: '1', initials: { kind: 'typed', text: 'JD' } },
].map((form) => JSON.stringify(form));
const cursorSeeds = [cursors.encode(list, '018f0000-0000-7000-8000-000000000001')];

/** Headers, names, cursors, keys, settings and JSON: parsers that take text. */
export const textTargets: Target[] = [
  text('content-disposition', ['attachment; filename*=utf-8\'\'a%C3%A9.pdf; filename="b\\".pdf"'], (given) => {
    const name = nameInDisposition(given);
    const [title, file] = [titleOf(name), attachedNameOf(name)];
    assertSo([...title].length <= 200 && /\.pdf$/i.test(file), 'names are bounded');
    assertSo(!/[\p{Cc}\p{Cs}]/u.test(title + file), 'names hold no control characters');
    const header = savedAs(given, 'pdf');
    assertSo(/^[\x20-\x7e]+$/.test(header), 'a header of ours is plain ASCII');
    assertSo(nameInDisposition(header) === `${given}.pdf`, 'the name that is sent is the name that is read');
  }),
  text('email', ['jane.doe@example.com', 'ü@exämple.org'], (given) => {
    if (isPlausibleEmail(given)) assertSo(!/[\s<>,;]/.test(given), 'an address cannot break out of a mail header');
  }),
  text('key', ['svc_live_0123456789abcdefghijABCDEFGHIJ01234567'], (given) => {
    if (parseKey(given) !== null) assertSo(/^svc_(live|test)_\w{38}$/.test(given), 'a key has one spelling');
  }),
  text('token', ['A'.repeat(43)], (given) => {
    if (isToken(given)) assertSo(given.length === 43, 'a token has one length');
  }),
  text('cursor', cursorSeeds, (given) =>
    refusingBy([ApiError], () => {
      const { position } = readPageRequest({ starting_after: given, limit: given.slice(0, 3) }, cursors, list);
      assertSo(position.kind !== 'after' || cursors.encode(list, position.id) === given, 'one position, one cursor');
    }),
  ),
  text(
    'url',
    ['https://www.dropbox.com/s/abc/file.pdf?dl=0', 'https://[::ffff:7f00:1]/', 'https://2130706433/'],
    (given) => {
      const checked = checkPublicUrl(given, { allowPrivate: false });
      if ('url' in checked) {
        assertSo(/^https:/.test(checked.url.href), 'only https passes');
        nameInLink(checked.url.href);
        links.check(given);
      }
    },
  ),
  text('trust-proxy', ['10.0.0.0/8, ::1, 192.168.1.1'], (given) =>
    refusingBy([OperatorError], () => readConfig({ TRUST_PROXY: given, WEBHOOK_RETRY_DELAYS: given })),
  ),
  text('headers', ['120', 'Wed, 21 Oct 2026 07:28:00 GMT', 'es-MX,es;q=0.9,en;q=0.8'], (given) => {
    assertSo(['en', 'es'].includes(preferredLanguage(given)), 'a language is one of ours');
    const headers = { 'retry-after': given, date: given, 'x-ratelimit-reset': given, 'x-ratelimit-remaining': given };
    const response = { status: 429, headers, body: Readable.from([]) };
    const waits = [retryAfterMs(response, new Date(0)) ?? 0, readVendorLimits(response, given).retryMs];
    assertSo(
      waits.every((ms) => Number.isFinite(ms) && ms >= 0),
      'a wait is a number',
    );
  }),
  text(
    'drive-file',
    ['{"name":"a.pdf","mimeType":"application/pdf","size":"123","headRevisionId":"1"}'],
    parseDriveFile,
  ),
  parsed('vendor-answer', [vendorProfile, vendorEnvelope], (value) => {
    readProfile(value, { allowsLocal: false });
    readEnvelope(value);
  }),
  parsed('document-body', [documentBody], (value) => {
    readCreateDocumentBody(value);
    readEditDocumentBody(value);
  }),
  parsed('import-body', importBodies, (value) => readStartImport(value, links)),
  parsed('signing-form', signingForms, readSignature),
  parsed('progress-form', signingForms, readProgress),
  parsed('other-forms', ['{"reason":"No","code":"123 456"}'], (value) => readDecline(value)),
  parsed('code-form', ['{"code":"123 456"}'], (value) => readVerification(value)),
  {
    name: 'multipart',
    seeds: [
      Buffer.from('--X\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--X--\r\n'),
    ],
    dictionary: ['--X', '\r\n', '--X--', 'filename*=', 'Content-Disposition:', 'Content-Type:', '\0'],
    msMax: 20_000,
    run: (bytes) => {
      const request = Object.assign(Readable.from([bytes]), { headers: {} }) as unknown as IncomingMessage;
      return withUpload(request, 'multipart/form-data; boundary=X', 4096, async () => {});
    },
  },
];

function text(name: string, seeds: readonly string[], run: (given: string) => unknown): Target {
  const bytes = seeds.map((seed) => Buffer.from(seed));
  return { name, seeds: bytes, dictionary: hostile, msMax: 2000, run: (given) => run(given.toString('utf8')) };
}

function parsed(name: string, seeds: readonly string[], read: (value: unknown) => unknown): Target {
  const bytes = seeds.map((seed) => Buffer.from(seed));
  const run = (given: Buffer) =>
    refusingBy([ApiError, SigningError], () => read(readJsonBody({ body: given, headers: {} })));
  return { name, seeds: bytes, dictionary: [...json, ...hostile], msMax: 2000, run };
}
