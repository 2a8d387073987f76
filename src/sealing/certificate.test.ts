import { execFileSync } from 'node:child_process';
import { type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { OperatorError } from '../errors.ts';
import { CertificateError } from '../pdf/signatures/certificate-error.ts';
import { openPkcs12 } from '../pdf/signatures/open-pkcs12.ts';
import { readPkcs12 } from '../pdf/signatures/read-pkcs12.ts';
import { ensureSigningCertificate } from '../pdf/signatures/signing-certificate.ts';
import { assertValidAt } from '../pdf/signatures/signing-certificate-rules.ts';
import { systemRandom } from '../platform/random.ts';
import { sampleInput } from './testing/sample-input.ts';
import { attributesOf, signatureOf } from './testing/signature-of.ts';
import { inspect, openssl, temporaryDirectory, testWorker } from './testing/tools.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00Z') };
const password = 'pässwörd 🔑';

interface Made {
  key: string;
  certificate: string;
}

/** Creates a key and a certificate, self-signed or signed by `issuer`, valid for years around now. */
function makeCertificate(
  directory: string,
  name: string,
  key: string[],
  issuer?: Made,
  extensions: string[] = [],
): Made {
  const made = { key: join(directory, `${name}.key`), certificate: join(directory, `${name}.pem`) };
  openssl('genpkey', ...key, '-out', made.key);
  const subject = ['req', '-new', '-key', made.key, '-subj', `/O=Example/CN=${name}`];
  if (issuer === undefined) {
    const more = extensions.flatMap((extension) => ['-addext', extension]);
    openssl(...subject, '-x509', '-days', '7300', ...more, '-out', made.certificate);
    return made;
  }
  const request = join(directory, `${name}.csr`);
  const settings = join(directory, `${name}.ext`);
  openssl(...subject, '-out', request);
  writeFileSync(settings, extensions.join('\n'));
  const signing = ['-CA', issuer.certificate, '-CAkey', issuer.key, '-CAcreateserial', '-extfile', settings];
  openssl('x509', '-req', '-in', request, ...signing, '-days', '7300', '-out', made.certificate);
  return made;
}

function bundle(directory: string, made: Made, options: string[] = [], chain: string[] = []): string {
  const file = join(directory, `${Math.random().toString(36).slice(2)}.p12`);
  const more = join(directory, 'chain.pem');
  writeFileSync(more, chain.map((pem) => readFileSync(pem, 'utf8')).join(''));
  const extra = chain.length > 0 ? ['-certfile', more] : [];
  const what = ['pkcs12', '-export', '-inkey', made.key, '-in', made.certificate, ...extra];
  openssl(...what, '-passout', `pass:${password}`, ...options, '-out', file);
  return file;
}

const rsa = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'];
const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`];

/** Ways in which programs write PKCS#12 files. */
const formats: Array<[name: string, options: string[]]> = [
  ['OpenSSL 3: AES-256, PBKDF2, SHA-256 MAC', []],
  ['OpenSSL 1, Java 8: 3DES and 40-bit RC2', ['-legacy']],
  ['Windows: 3DES for both', ['-legacy', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES']],
  ['AES-128', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC']],
  ['AES-192', ['-keypbe', 'AES-192-CBC', '-certpbe', 'AES-192-CBC']],
  ['3DES under PBKDF2', ['-keypbe', 'DES-EDE3-CBC', '-certpbe', 'DES-EDE3-CBC']],
  ['a SHA-512 MAC', ['-macalg', 'sha512']],
  ['a SHA-1 MAC', ['-macalg', 'sha1']],
  ['no MAC', ['-nomac']],
  ['certificates in the clear', ['-certpbe', 'NONE']],
  ['nothing encrypted', ['-certpbe', 'NONE', '-keypbe', 'NONE']],
  ['128-bit RC2', ['-legacy', '-keypbe', 'PBE-SHA1-RC2-128', '-certpbe', 'PBE-SHA1-RC2-128']],
  ['two-key 3DES', ['-legacy', '-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-2DES']],
  ['single DES under PBKDF2', ['-legacy', '-keypbe', 'DES-CBC', '-certpbe', 'DES-CBC']],
];

/** Ways that hardly any program uses. */
const unreadFormats: Array<[name: string, options: string[]]> = [
  ['RC4', ['-legacy', '-keypbe', 'PBE-SHA1-RC4-128', '-certpbe', 'PBE-SHA1-RC4-128']],
];

/** Written by OpenSSL's PKCS12_create without a password: no bytes, not even the two zero bytes of an empty password. */
const withoutPassword = Buffer.from(
  [
    'MIIDrQIBAzCCA2QGCSqGSIb3DQEHAaCCA1UEggNRMIIDTTCCAi4GCSqGSIb3DQEHBqCCAh8wggIbAgEAMIICFAYJKoZIhvcNAQcBMBsGCiqGSI',
    'b3DQEMAQMwDQQIm9NsJ2wTQscCAWSAggHosetyhsOzNKraNFwhnM96KMdLCdupV5D3FSpJxP98uB0V4YBqMaVuNAdjIAdDPUfF19qqLTmhrWmb',
    'ykGX4gzonMIoekrMFdyI8iGBMGISmbRUO2XyIRQ5TYr7x3YsHNBnm+04dJ0gbl5PxdP6Cw7gIX75uB7n0g2HgtKMCzkeVz2sKY/OHwT9X2R/GE',
    'MorzfDhkrVlNPnPndcHV+qlXdVq8o+f/5afEup14YnwS2wXXsXkKoNkWlZAbMjP0sB7hp2m8DPrFzrhtgpkl0qUP+nkmwfHZInShMmEmyMmENw',
    'OZJViv/od20GvHlJVDg8/SE9EZEOK2ZA34E83+gNkZIwq4q8rB93/C1x4/zBhsqdLO8+tey/TQ46qstElgE9lbADr1Jpk9bdgXdEp/yP5ucO04',
    'BL3AZX+Ml/sM7kIUNHeM/bd5Df+HYEuU47TxdzqXYSPhCQNzgfULy3imtAVMdUhNtSNY6oPp7cfcM0bGBjriSExt7Sspkf5HXhqQG8nXhq7Pid',
    '9rwPXmGk4TsaAbDsQt4Zip7WNWewLlcNtbVHr6C1n7G5jhz16tiRlAkQWKhVxdSq/ReWMpSXKqKozYr9k9EsmViPlXbiIpI19zPEmXXT0a5vBD',
    'yJWcquoK4MdMiCS8cFDuj2rCowggEXBgkqhkiG9w0BBwGgggEIBIIBBDCCAQAwgf0GCyqGSIb3DQEMCgECoIGzMIGwMBsGCiqGSIb3DQEMAQMw',
    'DQQI3r/w/vYeAsMCAWQEgZBkJ57SAww0EDExiHFXQMIPQfHheq4/3L8U5SOtvSoyy1/0gIwPrLDiBtAZ4EAH43b9H9daTffBcqhz7cUDrxZJj7',
    'UVzJsgLqqfG2sOYH/vP/JOHt0YNmTw9umDdWXt/zj3EpAMM3mtaXVTgP932KeA3qrnbn1uJ5u+cuqffrf01ck5UhvfB7jJhP5ETkoZ4asxODAR',
    'BgkqhkiG9w0BCRQxBB4CAHgwIwYJKoZIhvcNAQkVMRYEFB/WZ63SOefI5T5BVRwWZhDPeAeTMEAwMTANBglghkgBZQMEAgEFAAQgOR+OSLb7LM',
    'Lzq6pFfhdjgH+OXi1pZ7sRzh5ssHmZ5T4ECI1RXrrnWw5HAgFk',
  ].join(''),
  'base64',
);

let directory: string;
let rsaMade: Made;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-certificates-'));
  rsaMade = makeCertificate(directory, 'rsa', rsa);
  return () => rmSync(directory, { recursive: true, force: true });
});

test.each(formats)('reads PKCS#12 as written by %s', async (_, options) => {
  const identity = await openPkcs12(readFileSync(bundle(directory, rsaMade, options)), password);
  const data = Buffer.from('to be signed');
  expect(verify('sha256', data, identity.certificate.publicKey, await identity.sign(data))).toBe(true);
  expect(identity.certificate.toString()).toBe(readFileSync(rsaMade.certificate, 'utf8'));
});

test.each(unreadFormats)('reports PKCS#12 with %s as unsupported', async (_, options) => {
  expect(await openingError(bundle(directory, rsaMade, options))).toMatch(
    /^it uses an algorithm that is not supported \(1\.2\.840\.113549\.1\.12\.1\.\d\)$/,
  );
});

test('reads a file without a password in each encoding', async () => {
  const files = ['-legacy', '-nomac'].map((option) => {
    const file = join(directory, `no-password${option}.p12`);
    const made = ['-inkey', rsaMade.key, '-in', rsaMade.certificate, '-passout', 'pass:', '-out', file];
    openssl('pkcs12', '-export', option, ...made);
    return file;
  });
  writeFileSync(join(directory, 'absent-password.p12'), withoutPassword);
  files.push(join(directory, 'absent-password.p12'));
  expect(await Promise.all(files.map((file) => openingError(file, '')))).toEqual(files.map(() => 'accepted'));
});

test('a certificate keeps its bytes when its issuer encodes it differently', async () => {
  const root = makeCertificate(directory, 'EC root', ec('P-256'), undefined, ['keyUsage=critical,keyCertSign']);
  const leaf = makeCertificate(directory, 'RSA leaf', rsa, root, ['keyUsage=critical,digitalSignature']);
  const file = readFileSync(bundle(directory, leaf, [], [root.certificate]));
  const { certificate, chain } = await openPkcs12(file, password);
  const inFile = [leaf, root].map((made) => readFileSync(made.certificate, 'utf8'));
  expect([certificate, ...chain].map(String)).toEqual(inFile);
});

test.each([
  ['the MAC', []],
  ['PBKDF2', ['-nomac']],
  ['an old scheme', ['-nomac', '-legacy']],
])('an iteration count that would take minutes is refused before hashing, in %s', async (_, options) => {
  const file = readFileSync(bundle(directory, rsaMade, ['-iter', '70000', ...options]));
  const [rounds, tooMany] = ['0203011170', '02037fffff'];
  const hostile = join(directory, 'hostile.p12');
  writeFileSync(hostile, Buffer.from(file.toString('hex').replaceAll(rounds, tooMany), 'hex'));
  expect(await openingError(hostile)).toBe('it uses an algorithm that is not supported (8388607 rounds of hashing)');
});

test('huge and endlessly nested files are refused', async () => {
  const nested = Buffer.alloc(2 ** 20, Buffer.from([0x30, 0x80]));
  await expect(openPkcs12(nested, password)).rejects.toThrow('it is not a PKCS#12 file (.p12, .pfx)');
  const huge = Buffer.alloc(2 ** 20 + 1);
  await expect(openPkcs12(huge, password)).rejects.toThrow('it is too large for a PKCS#12 file (over 1 MiB)');
});

test('the service and OpenSSL read the generated certificate', async () => {
  const { file } = await ensureSigningCertificate({
    dataDir: temporaryDirectory(),
    password,
    clock,
    random: systemRandom,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = openssl('pkcs12', '-in', file, '-passin', `pass:${password}`, '-nokeys');
  expect(text).toContain('Countersign');
  const { certificate } = await openPkcs12(readFileSync(file), password);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  const years = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / (365.25 * 86_400_000);
  expect(Math.round(years)).toBe(10);
});

test('when SECRET_KEY changes, the certificate stays and its password changes, also with concurrent starts', async () => {
  const dataDir = temporaryDirectory();
  const options = { dataDir, password, clock, random: systemRandom };
  const { file } = await ensureSigningCertificate(options);
  const before = readPkcs12(readFileSync(file), password);
  const changed = { ...options, password: 'another', previousPassword: password };
  await Promise.all(Array.from({ length: 5 }, () => ensureSigningCertificate(changed)));
  const after = readPkcs12(readFileSync(file), 'another');
  expect(after.certificates.map(String)).toEqual(before.certificates.map(String));
  expect(after.keys[0]?.equals(before.keys[0] as KeyObject)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['signing-certificate.p12']);

  const written = readFileSync(file);
  await ensureSigningCertificate(changed);
  await ensureSigningCertificate({ ...options, password: 'a third', previousPassword: 'not the one' });
  expect(readFileSync(file).equals(written)).toBe(true);
});

test('a second start and a concurrent first start use the same certificate', async () => {
  const dataDir = join(temporaryDirectory(), 'not yet there');
  const options = { dataDir, password, clock, random: systemRandom };
  await Promise.all(Array.from({ length: 12 }, () => ensureSigningCertificate(options)));
  const first = readFileSync((await ensureSigningCertificate(options)).file);
  await ensureSigningCertificate(options);
  expect(readFileSync(join(dataDir, 'signing-certificate.p12')).equals(first)).toBe(true);
  expect(readdirSync(dataDir)).toEqual(['signing-certificate.p12']);
});

test('two processes that start at once use one certificate', async () => {
  const dataDir = temporaryDirectory();
  const module = fileURLToPath(new URL('../pdf/signatures/signing-certificate.ts', import.meta.url));
  const random = fileURLToPath(new URL('../platform/random.ts', import.meta.url));
  const script = `
    const { ensureSigningCertificate } = await import(${JSON.stringify(module)});
    const { systemRandom } = await import(${JSON.stringify(random)});
    const { readFileSync } = await import('node:fs');
    const clock = { now: () => new Date() };
    const { file } = await ensureSigningCertificate({ dataDir: ${JSON.stringify(dataDir)}, password: 'x', clock, random: systemRandom });
    console.log(readFileSync(file).toString('base64'));`;
  const run = `for i in 1 2 3 4; do "$0" --input-type=module -e "$1" & done; wait`;
  const output = execFileSync('sh', ['-c', run, process.execPath, script], { encoding: 'utf8' });
  const seen = output.trim().split('\n');
  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBe(1);
});

const keyKinds: Array<[name: string, key: string[], described: string]> = [
  ['RSA', rsa, 'RSA 2048'],
  ['EC P-256', ec('P-256'), 'EC P-256'],
  ['EC P-384', ec('P-384'), 'EC P-384'],
  ['EC P-521', ec('P-521'), 'EC P-521'],
];

test.each(keyKinds)('seals with a chain of %s and embeds the chain in the signature', async (_, key, described) => {
  const root = makeCertificate(directory, 'Root', key, undefined, ['keyUsage=critical,keyCertSign']);
  const ca = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'];
  const middle = makeCertificate(directory, 'Middle', key, root, ca);
  const leaf = makeCertificate(directory, 'Leaf', key, middle, ['keyUsage=critical,digitalSignature,nonRepudiation']);
  // In reverse order, as some programs export it.
  const file = bundle(directory, leaf, [], [root.certificate, middle.certificate]);
  const clockNow = { now: () => new Date() };
  const worker = await testWorker({ certificate: { file, password }, clock: clockNow });
  expect(await worker.checkCertificate()).toMatchObject({ key: described, selfSigned: false, chainLength: 2 });

  const pdf = await worker.seal({ ...sampleInput(), signingTime: new Date().toISOString() });
  expect(inspect(pdf, 'pdfsig')).toMatch(/Common Name: Leaf[\s\S]*Total document signed[\s\S]*Signature is Valid/);
  const { cms, signedBytes } = signatureOf(pdf);
  const path = (name: string) => join(directory, name);
  writeFileSync(path('cms'), cms);
  writeFileSync(path('content'), signedBytes);
  const trust = ['-CAfile', root.certificate, '-purpose', 'any'];
  const files = ['-in', path('cms'), '-content', path('content'), '-out', path('out')];
  openssl('cms', '-verify', '-cades', '-inform', 'DER', '-binary', ...trust, ...files);
  expect(attributesOf(cms).unsigned).toEqual([]);
});

test('the generated certificate signs a test page and is summarised', async () => {
  const worker = await testWorker();
  const summary = await worker.checkCertificate();
  expect(summary).toMatchObject({ subject: 'CN=Countersign', key: 'EC P-256', selfSigned: true, chainLength: 0 });
  expect(summary.fingerprintSha256).toMatch(/^[0-9a-f]{64}$/);
});

/** Returns the error of opening the file for a signature at `now`. */
async function openingError(file: string, withPassword = password, now = new Date()): Promise<string> {
  try {
    assertValidAt((await openPkcs12(readFileSync(file), withPassword)).certificate, now);
  } catch (error) {
    expect(error).toBeInstanceOf(CertificateError);
    return (error as Error).message;
  }
  return 'accepted';
}

test('certificate errors are one line', async () => {
  const good = bundle(directory, rsaMade);
  const write = (name: string, bytes: string | Buffer) => {
    writeFileSync(join(directory, name), bytes);
    return join(directory, name);
  };
  const weak = makeCertificate(directory, 'weak', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']);
  const encrypting = makeCertificate(directory, 'encrypting', rsa, undefined, ['keyUsage=critical,keyEncipherment']);
  const edwards = makeCertificate(directory, 'edwards', ['-algorithm', 'ED25519']);
  const koblitz = makeCertificate(directory, 'koblitz', ec('secp256k1'));
  const keyless = join(directory, 'keyless.p12');
  openssl('pkcs12', '-export', '-nokeys', '-in', rsaMade.certificate, '-passout', `pass:${password}`, '-out', keyless);
  const bare = join(directory, 'bare.p12');
  openssl('pkcs12', '-export', '-nocerts', '-inkey', rsaMade.key, '-passout', `pass:${password}`, '-out', bare);

  expect(await openingError(good)).toBe('accepted');
  const notPkcs12 = 'it is not a PKCS#12 file (.p12, .pfx)';
  expect(await openingError(write('text', 'hello'))).toBe(notPkcs12);
  expect(await openingError(write('empty', ''))).toBe(notPkcs12);
  expect(await openingError(rsaMade.certificate)).toBe(notPkcs12);
  expect(await openingError(write('half', readFileSync(good).subarray(0, 900)))).toBe(notPkcs12);
  expect(await openingError(good, 'wrong')).toBe('the password is wrong');
  expect(await openingError(good, '')).toBe('the password is wrong');
  expect(await openingError(bundle(directory, rsaMade, ['-nomac']), 'wrong')).toMatch(/^the password is wrong, or/);
  expect(await openingError(keyless)).toBe('it has no private key');
  expect(await openingError(bare)).toBe('it has no certificate');
  expect(await openingError(bundle(directory, weak))).toMatch(/^its RSA key of 1024 bits is too short/);
  expect(await openingError(bundle(directory, edwards))).toMatch(/^its key of type ed25519 cannot sign PDFs/);
  expect(await openingError(bundle(directory, koblitz))).toMatch(/^its key of type secp256k1 cannot sign PDFs/);
  expect(await openingError(bundle(directory, encrypting))).toBe('its key usage does not allow signatures');
  expect(await openingError(good, password, new Date('2001-01-01'))).toMatch(/^it is not valid before \d{4}-/);
  expect(await openingError(good, password, new Date('2099-01-01'))).toMatch(/^it expired on \d{4}-/);
});

test('an unusable certificate is reported as an OperatorError that names the file', async () => {
  const other = makeCertificate(directory, 'other', rsa);
  const cases: Array<[file: string, password: string, openingError: string]> = [
    [join(directory, 'missing.p12'), password, 'the file does not exist'],
    [directory, password, 'the file cannot be read (EISDIR)'],
    [bundle(directory, rsaMade), 'wrong', 'the password is wrong'],
    [mismatched(directory, rsaMade, other), password, 'its private key does not belong to its certificate'],
  ];
  for (const [file, withPassword, expected] of cases) {
    const worker = await testWorker({ certificate: { file, password: withPassword } });
    const check = worker.checkCertificate();
    await expect(check).rejects.toThrow(OperatorError);
    await expect(check).rejects.toThrow(`the signing certificate ${file} cannot be used: ${expected}`);
  }
});

test('a file with any damaged byte is reported as damaged', async () => {
  const good = readFileSync(bundle(directory, rsaMade, ['-nomac']));
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const damaged = Buffer.from(good);
      damaged[at] = (damaged[at] ?? 0) ^ flip;
      try {
        await openPkcs12(damaged, password);
      } catch (error) {
        expect(error).toBeInstanceOf(CertificateError);
      }
    }),
    { numRuns: 300 },
  );
});

/** Bundles a key with the certificate of another key. OpenSSL allows that only for additional certificates. */
function mismatched(into: string, one: Made, other: Made): string {
  const file = join(into, 'mismatched.p12');
  const what = ['pkcs12', '-export', '-nocerts', '-inkey', one.key, '-certfile', other.certificate];
  openssl(...what, '-passout', `pass:${password}`, '-out', file);
  return file;
}

test('a certificate that expires while the service runs cannot seal', async () => {
  const { file } = await ensureSigningCertificate({
    dataDir: temporaryDirectory(),
    password,
    clock,
    random: systemRandom,
  });
  const worker = await testWorker({ certificate: { file, password } });
  await worker.seal(sampleInput());
  await expect(worker.seal({ ...sampleInput(), signingTime: '2037-01-01T00:00:00Z' })).rejects.toThrow(
    'it expired on 2036-',
  );
});

test('a renewed certificate is used without a restart', async () => {
  const make = (dataDir: string) => ensureSigningCertificate({ dataDir, password, clock, random: systemRandom });
  const { file } = await make(temporaryDirectory());
  const worker = await testWorker({ certificate: { file, password } });
  const before = await worker.checkCertificate();
  writeFileSync(file, readFileSync((await make(temporaryDirectory())).file));
  expect((await worker.checkCertificate()).fingerprintSha256).not.toBe(before.fingerprintSha256);
});
