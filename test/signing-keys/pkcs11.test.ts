import { createHash, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSelfSigned, type SelfSigned } from '../../src/pdf/signatures/self-signed.ts';
import { openSigningKey } from '../../src/pdf/signing-key/open-signing-key.ts';
import type { SigningKey } from '../../src/pdf/signing-key/signing-key.ts';
import { inspect } from '../../src/sealing/testing/tools.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { postPdf, sealedDocument } from '../verify/sealed.ts';
import { canUseTokens, createSoftToken, pin, type SoftToken, tokenLabel } from './soft-token.ts';

const aws = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null };
const dates = { notBefore: new Date('2026-01-01'), notAfter: new Date('2036-01-01') };
const digest = createHash('sha256').update('to be signed').digest();
const request = { digest, digestAlgorithm: 'SHA-256' } as const;

describe.skipIf(!canUseTokens)('a key in a PKCS#11 token', () => {
  let token: SoftToken;
  let own: SelfSigned;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

  beforeAll(async () => {
    token = createSoftToken();
    own = await createSelfSigned({ commonName: 'Sealed by a token', ...dates, serial: Buffer.alloc(16, 9) });
    token.addKey(own.key.export({ type: 'pkcs8', format: 'pem' }), 'seal key; 2026', '01');
    token.addKey(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'rsa', 'a0b1');
  });
  afterAll(() => token.remove());

  const uri = (key: string, more = '') =>
    `pkcs11:token=${encodeURIComponent(tokenLabel)};${key}?module-path=${token.modulePath}${more}`;

  const open = (keyUri: string, withPin: string | null = pin): Promise<SigningKey> =>
    openSigningKey({
      uri: keyUri,
      pin: withPin,
      environment: { ...process.env, ...token.environment },
      aws,
      azureClientSecret: null,
    });

  /** Returns the error of a key that can't sign. */
  const complaint = async (keyUri: string, withPin = pin) =>
    (await open(keyUri, withPin)).sign({ ...request, keyType: 'EC' }).then(
      () => 'signed',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  test('seals a document that pdfsig and /verify call valid, and one that failed meanwhile is sealed later', async () => {
    const certificate = join(token.directory, 'chain.pem');
    writeFileSync(certificate, new X509Certificate(own.certificate).toString());
    const app = await startTestService({
      env: {
        ...token.environment,
        SIGNING_KEY: uri('object=seal%20key%3B%202026;type=private'),
        SIGNING_KEY_PIN: pin,
        SIGNING_CERT_FILE: certificate,
      },
    });
    try {
      const company = await createCompany(app);
      const tokens = join(token.directory, 'tokens');
      renameSync(tokens, `${tokens}-away`);
      const sealing = sealedDocument(app, company);
      await eventually(
        () => sealJobs(app),
        (rows) => rows.some(({ retry_count }) => retry_count > 0),
      );
      renameSync(`${tokens}-away`, tokens);
      const { pdf } = await sealing;
      expect(inspect(pdf, 'pdfsig')).toMatch(
        /Common Name: Sealed by a token[\s\S]*Total document signed[\s\S]*Signature is Valid/,
      );
      const { body, against } = await postPdf(app, pdf);
      expect([body.verdict, ...against]).toEqual(['valid']);
    } finally {
      await app.stop();
    }
  });

  const sealJobs = (app: TestService) =>
    app.db.query<{ retry_count: number }>({
      name: '',
      // Its next try is due at once, so that the test doesn't wait for it.
      text: `update jobs.job set start_after = now() where name = 'seal-document' and state = 'retry' returning retry_count`,
      values: [],
    });

  test('signs with RSA and EC keys, found by id and by label', async () => {
    for (const key of ['id=%a0%B1', 'object=rsa']) {
      const signature = await (await open(uri(key))).sign({ ...request, keyType: 'RSA' });
      expect(verify('sha256', Buffer.from('to be signed'), rsa.publicKey, signature)).toBe(true);
    }
    const signature = await (await open(uri('id=%01'))).sign({ ...request, keyType: 'EC' });
    const { publicKey } = new X509Certificate(own.certificate);
    expect(verify('sha256', Buffer.from('to be signed'), publicKey, signature)).toBe(true);
  });

  test('says what is wrong, and tries a wrong PIN once only', async () => {
    expect(await complaint(uri('object=nope'))).toBe(
      'SigningKeyError: the token has no private key with the label "nope"',
    );
    expect(await complaint(uri('id=%ff'))).toBe('SigningKeyError: the token has no private key with the id ff');
    expect(await complaint(uri('id=%01').replace('seal', 'veal'))).toBe(
      'SigningKeyError: there is no token named "veal token"',
    );
    expect(await complaint(uri('id=%01').replace(token.modulePath, '/none.so'))).toBe(
      'SigningKeyError: the PKCS#11 module /none.so cannot be loaded',
    );
    expect(await complaint(uri('id=%a0%b1'))).toMatch(
      /^SigningKeyError: (the key is of another type|pkcs11-tool failed)/,
    );

    const wrong = await open(uri('id=%01'), '9999');
    for (let i = 0; i < 20; i++) {
      await expect(wrong.sign({ ...request, keyType: 'EC' })).rejects.toThrow(/^SIGNING_KEY_PIN is wrong/);
    }
    expect(await complaint(uri('id=%01'))).toBe('signed');
  });

  test('a URI that could mean another key is refused', async () => {
    for (const [bad, says] of [
      ['rsa', 'must start with awskms:, azurekms:, gcpkms: or pkcs11:'],
      [uri('object=x', '&pin-value=1234'), 'must not hold a PIN. Set SIGNING_KEY_PIN'],
      [uri('object=x;manufacturer=y'), 'has an attribute that is not supported: manufacturer'],
      [uri('object=x;object=y'), 'must have object=value once'],
      [uri('object=%zz'), 'has a percent sign'],
      [uri('type=public;object=x'), 'must be of type=private'],
      [uri(''), 'must name the key'],
      ['pkcs11:object=x?module-path=/m.so', 'must name the token'],
      ['pkcs11:token=x;object=x', 'must end with ?module-path='],
      ['pkcs11:token=x;object=x?module-path=m.so', 'must end with ?module-path='],
    ] as const) {
      await expect(open(bad)).rejects.toThrow(`bad setting SIGNING_KEY: it ${says}`);
    }
    await expect(open(uri('object=x'), null)).rejects.toThrow('SIGNING_KEY_PIN must be set');
  });
});
