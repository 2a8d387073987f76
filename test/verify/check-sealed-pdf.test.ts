import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpTimestampAuthority, PDF } from '@libpdf/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/canonical-json.ts';
import { type ChainedEntry, chainEntry, emptyChain, firstBreak } from '../../src/documents/audit.ts';
import { valuesSha256 } from '../../src/documents/field.ts';
import { type ByteRange, findSeals } from '../../src/pdf/reading/find-seals.ts';
import { stampPdf } from '../../src/pdf/signatures/stamp-pdf.ts';
import { createLog } from '../../src/platform/log.ts';
import { sampleFile, signedFile } from '../../src/sealing/testing/sample-files.ts';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { signatureOf } from '../../src/sealing/testing/signature-of.ts';
import { startTsaOf } from '../../src/sealing/testing/tsa-server.ts';
import { createVerifier } from '../../src/verify/create-verifier.ts';
import { type FindingId, findingMeanings } from '../../src/verify/findings.ts';
import { openLinkOf, signature } from '../signing/signer.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  TestClock,
  type TestService,
} from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { uploadTo } from '../support/uploads.ts';
import { lowerCased, sealSigner, twinOf, withoutTimeStamp } from './attacks/rewritten-seal.ts';
import { savings, wrappings } from './attacks/spoofing.ts';
import { postPdf, sealedDocument, sealedFile, sealedForTwo, sealedInTestMode, sealedPdf } from './sealed.ts';
import {
  flipped,
  offsetOf,
  otherDigit,
  replaced,
  signedByAnother,
  updated,
  withForgedTrail,
  withNote,
  withRange,
} from './tampering.ts';

/** `docs/verify/check_sealed_pdf.py` and the page that it follows, against real output. */
const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'verify.md'), 'utf8');
const script = join(docs, 'verify/check_sealed_pdf.py');
const directory = mkdtempSync(join(tmpdir(), 'countersign-check-'));
const hasTools = ['python3', 'qpdf', 'openssl'].every(hasTool);

/** Python without packages of the machine. */
const alone = ['-I', '-S'];
let python = 'python3';

let app: TestService;
let company: Company;
/** A PDF that two recipients filled in, after a reminder. */
let sealed: Buffer;
let certificate: string;

beforeAll(async () => {
  // A version manager may replace the program by a slow script.
  if (hasTools) python = (await run(python, ['-c', 'import sys; print(sys.executable)'])).last;
  app = await startTestService();
  company = await createCompany(app);
  sealed = await sealedForTwo(app, company, await sampleFile(2));
  certificate = certificateOf(app);
});
afterAll(async () => {
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
});

function certificateOf(service: TestService): string {
  const certificates = join(service.dataDir, 'certificates');
  return join(certificates, readdirSync(certificates)[0] ?? '');
}

interface Checked {
  code: number;
  /** The last line on stdout: `genuine`, or the check that failed. */
  last: string;
  stdout: string;
  stderr: string;
}

let files = 0;
function save(bytes: Buffer | string, name = 'file.pdf'): string {
  const path = join(directory, `${files++}-${name}`);
  writeFileSync(path, bytes);
  return path;
}

function run(command: string, args: string[], cwd = directory): Promise<Checked> {
  const env = { ...process.env, PYTHONUTF8: '1', LC_ALL: 'C.UTF-8' };
  return new Promise((resolve) => {
    execFile(command, args, { encoding: 'utf8', env, cwd }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr, last: stdout.trim().split('\n').at(-1) ?? '' });
    });
  });
}

const check = (pdf: Buffer, ...certificates: string[]) =>
  run(python, [...alone, script, save(pdf), ...(certificates.length > 0 ? certificates : [certificate])]);

describe.runIf(hasTools)('the script', () => {
  test('finds a sealed PDF genuine, with a line for each check, and has a name for every line on the page', async () => {
    const { code, stdout } = await check(sealed);
    expect(code, stdout).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.at(-1)).toBe('genuine');
    const names = lines.slice(0, -1).map((line) => /^ok {4}([a-z -]+): /.exec(line)?.[1]);
    expect(names).toEqual([
      ...[
        'structure',
        'seal',
        'end',
        'coverage',
        'use',
        'padding',
        'form',
        'certificate',
        'bytes',
        'level',
        'signature',
      ],
      ...['embedded', 'audit trail', 'content', 'recipient', 'recipient', 'values'],
      ...['attestation', 'attestation', 'attached file'],
    ]);
    for (const name of [...names, 'time-stamp', 'authority']) expect(page).toContain(`| \`${name}\` |`);
    expect(stdout).toContain('recipient: Ada Lovelace, signed 2026-03-1');
    expect(stdout).toContain('recipient: Bo Núñez, signed 2026-03-1');
    expect(stdout).toContain('attestation: Bo Núñez, signed before 2026-03-1');
    expect(embedded(await PDF.load(sealed), 'audit.json').map(({ action }: ChainedEntry) => action)).toContain(
      'reminded',
    );
  });

  test('finds a document genuine to which a recipient added a stamp and a file', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
    });
    await attachPdf(app, company, id);
    const [stamp, permit] = await placeOn(app, company, id, [
      { recipient: 1, type: 'stamp' },
      { recipient: 1, type: 'upload', label: 'Permit' },
    ]);
    expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
    const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
    const { body } = await uploadTo(signer, permit?.id ?? '', 'permit.pdf', '%PDF-1.4 permit');
    const png = drawnSignature().toString('base64');
    const fields = { [stamp?.id ?? '']: 'true', [permit?.id ?? '']: body.file.id };
    expect((await signer.post('sign', { ...signature, stamp: { png }, fields })).status).toBe(200);
    const pdf = await sealedPdf(app, id);
    const checked = await check(pdf);
    expect([checked.last, checked.stderr]).toEqual(['genuine', '']);
    expect((await postPdf(app, pdf)).body.verdict).toBe('valid');
  });

  test('finds files with an earlier signature genuine, also one that had to be embedded', async () => {
    const { pdf: signed } = await sealedFile(app, company, await signedFile(await sampleFile(1)));
    const { pdf: enclosed } = await sealedFile(app, company, await signedFile(await sampleFile(1), 'Maker', 1));
    for (const pdf of [signed, enclosed]) expect(await check(pdf)).toMatchObject({ code: 0, last: 'genuine' });
  });

  test('says that a document was sent in test mode', async () => {
    const { pdf } = await sealedInTestMode(app, company);
    const { code, last, stdout } = await check(pdf);
    expect([code, last]).toEqual([0, 'genuine']);
    const note = 'note  test mode: not a real signature';
    expect(stdout.split('\n')).toContain(note);
    expect((await check(sealed)).stdout).not.toContain('test mode');
  });

  const changes: Record<string, [make: (pdf: Buffer) => Buffer | Promise<Buffer>, line: RegExp]> = {
    'a byte of a page': [(pdf) => flipped(pdf, offsetOf(pdf, 'stream\n') + 20), /^FAIL {2}bytes: changed/],
    'a digit of the signature value': [
      (pdf) => otherDigit(pdf, pdf.indexOf('000000000000', offsetOf(pdf, '/Contents <')) - 12),
      /^FAIL {2}signature: /,
    ],
    'an update after the seal': [(pdf) => updated(pdf, withNote), /^FAIL {2}end: \d+ bytes follow the signature/],
    'a missing end': [(pdf) => pdf.subarray(0, -200), /^FAIL {2}(end: 200 bytes are missing|structure: |seal: )/],
    'a range that starts later': [
      (pdf) => withRange(pdf, ([, b = 0, c = 0, d = 0]) => [9, b - 9, c, d]),
      /^FAIL {2}coverage: /,
    ],
    'a range with a wider gap': [
      (pdf) => withRange(pdf, ([a = 0, b = 0, c = 0, d = 0]) => [a, b - 100, c, d]),
      /^FAIL {2}coverage: /,
    ],
    'a signature in small letters': [lowerCased, /^FAIL {2}coverage: /],
    'something after the signature value': [
      (pdf) => otherDigit(pdf, pdf.indexOf('>', offsetOf(pdf, '/Contents <')) - 20),
      /^FAIL {2}padding: /,
    ],
    'another kind of signature': [
      (pdf) => replaced(pdf, /ETSI\.CAdES\.detached/, () => 'adbe.pkcs7.detached'),
      /^FAIL {2}use: /,
    ],
    'no signature': [(pdf) => replaced(pdf, /\/FT \/Sig/, () => '/FT /Txx'), /^FAIL {2}seal: /],
    'another certificate in the signature': [
      (pdf) => replaced(pdf, /436F756E7465727369676E/, () => '436F756E7465727369676F'),
      /^FAIL {2}certificate: /,
    ],
    'another version of the CMS': [
      (pdf) =>
        replaced(
          pdf,
          /\/Contents <3082.{4}06092A864886F70D010702A082.{4}3082.{4}020101/,
          (match) => `${match.slice(0, -1)}3`,
        ),
      /^FAIL {2}form: /,
    ],
    'an audit trail that was forged, chained again and sealed again': [
      async (pdf) => signedByAnother(await updated(pdf, withForgedTrail), 'Countersign', 'Second'),
      /^FAIL {2}certificate: /,
    ],
    'an empty file': [() => Buffer.alloc(0), /^FAIL {2}structure: /],
  };

  test.each(Object.entries(changes))('refuses %s', async (_, [make, line]) => {
    const { code, last } = await check(await make(sealed));
    expect(last).toMatch(line);
    expect(code).toBe(1);
  });

  test('refuses published attacks that change what readers show', async () => {
    const attacks = Object.entries({ ...savings, ...wrappings });
    const outcomes = await inPairs(attacks, async ([name, attack]) => [name, (await check(await attack(sealed))).code]);
    expect(outcomes).toEqual(attacks.map(([name]) => [name, 1]));
  });

  /** What a dishonest service could seal. The forger's certificate is trusted too, so that only the contents are judged. */
  const forged: Record<string, [change: (opened: PDF) => void, line: RegExp]> = {
    'nothing changed': [() => {}, /^genuine$/],
    'all entries chained again, without attestations: only the seal proves who wrote them': [
      (opened) => {
        withoutAttestations(opened);
        withForgedTrail(opened);
      },
      /^genuine$/,
    ],
    'an entry with another time': [
      withTrail((trail) =>
        trail.map((entry) => (entry.seq === 4 ? { ...entry, at: '2020-01-01T00:00:00.000Z' } : entry)),
      ),
      /^FAIL {2}audit trail: entry 4 /,
    ],
    'an entry left out': [withTrail((trail) => trail.filter(({ seq }) => seq !== 3)), /^FAIL {2}audit trail: entry 3 /],
    'no entries': [withTrail(() => []), /^FAIL {2}contents: /],
    'a recipient who did not sign': [
      withTrail((trail, id) => chained(trail.toSpliced(trail.findLastIndex(isSignature), 1), id)),
      /^FAIL {2}recipient: Bo Núñez has not signed/,
    ],
    'another title': [
      (opened) => replaceJson(opened, 'content.json', { ...embedded(opened, 'content.json'), title: 'Another' }),
      /^FAIL {2}content: /,
    ],
    'another value': [
      (opened) => replaceJson(opened, 'values.json', swapped(embedded(opened, 'values.json'))),
      /^FAIL {2}values: /,
    ],
    'no values': [(opened) => opened.removeAttachment('values.json'), /^FAIL {2}values: /],
    'another attached file': [
      (opened) => {
        const facts = embedded(opened, 'file.json');
        replaceJson(opened, 'file.json', { ...facts, before: { ...facts.before, bytes: facts.before.bytes - 1 } });
      },
      /^FAIL {2}attached file: /,
    ],
    'no audit trail': [(opened) => opened.removeAttachment('audit.json'), /^FAIL {2}embedded: /],
  };

  test.each(Object.entries(forged))('sealed by a trusted forger: %s', async (_, [change, line]) => {
    const pdf = await signedByAnother(await updated(sealed, change), 'Countersign', 'Second');
    const forger = new X509Certificate(sealSigner(pdf)).toString();
    expect((await check(pdf, save(forger + readFileSync(certificate, 'utf8'), 'both.pem'))).last).toMatch(line);
  });

  /** The same, with the finding of `/verify`. */
  const forgedAttestations: Record<string, [change: (opened: PDF) => void, line: RegExp, finding: FindingId]> = {
    'all entries chained again: the attestations are of others': [
      withForgedTrail,
      /^FAIL {2}attestation: that of Ada Lovelace is missing, or not the one/,
      'attestation_not_valid',
    ],
    'no attestations': [
      (opened) => opened.removeAttachment('attestations.json'),
      /^FAIL {2}attestation: that of Ada Lovelace is missing/,
      'attestation_missing',
    ],
    'an attestation removed': [
      (opened) => replaceJson(opened, 'attestations.json', embedded(opened, 'attestations.json').slice(0, 1)),
      /^FAIL {2}attestation: that of Bo Núñez is missing/,
      'attestation_missing',
    ],
    'attestations exchanged': [
      (opened) => replaceJson(opened, 'attestations.json', exchanged(embedded(opened, 'attestations.json'))),
      /^FAIL {2}attestation: that of Ada Lovelace is missing, or not the one/,
      'attestation_not_valid',
    ],
    'an attestation altered': [
      (opened) => replaceJson(opened, 'attestations.json', altered(embedded(opened, 'attestations.json'))),
      /^FAIL {2}attestation: that of Bo Núñez is missing, or not the one/,
      'attestation_not_valid',
    ],
    'an attestation altered, and named by the trail': [
      (opened) => {
        const changed = altered(embedded(opened, 'attestations.json'));
        replaceJson(opened, 'attestations.json', changed);
        const sha256 = createHash('sha256')
          .update(Buffer.from(changed[1]?.cms ?? '', 'base64'))
          .digest('hex');
        withTrail((trail, id) =>
          chained(
            trail.map((entry) =>
              entry.action === 'attested' && entry.detail.entry === changed[1]?.entry
                ? { ...entry, detail: { ...entry.detail, sha256 } }
                : entry,
            ),
            id,
          ),
        )(opened);
      },
      /^FAIL {2}attestation: that of Bo Núñez: /,
      'attestation_not_valid',
    ],
    'an attestation that the trail does not name': [
      (opened) => {
        const all = embedded(opened, 'attestations.json');
        replaceJson(opened, 'attestations.json', [...all, { ...all[0], entry: 1 }]);
      },
      /^FAIL {2}attestation: there is one of entry 1, /,
      'attestation_not_valid',
    ],
  };

  test.each(Object.entries(forgedAttestations))(
    'sealed by a trusted forger: %s',
    async (_, [change, line, finding]) => {
      const pdf = await signedByAnother(await updated(sealed, change), 'Countersign', 'Second');
      const forger = new X509Certificate(sealSigner(pdf));
      const both = save(forger.toString() + readFileSync(certificate, 'utf8'), 'both.pem');
      expect((await check(pdf, both)).last).toMatch(line);
      const certificates = async () => [forger.raw, new X509Certificate(readFileSync(certificate)).raw];
      const verifier = createVerifier({ certificates, sealedFiles: null, anchors: [], log: createLog('silent') });
      const { verdict, findings } = await verifier.examine(save(pdf)).finally(() => verifier.close());
      expect(verdict).toBe('altered');
      expect(findings.filter(({ id }) => findingMeanings[id] === 'altered').map(({ id }) => id)).toContain(finding);
    },
  );

  test('does not take an attestation by a certificate that it is not given', async () => {
    const pdf = await signedByAnother(sealed, 'Countersign', 'Second');
    const forger = save(new X509Certificate(sealSigner(pdf)).toString(), 'forger.pem');
    expect((await check(pdf, forger)).last).toMatch(/^FAIL {2}attestation: that of Ada Lovelace: /);
  });

  test('trusts only the certificates that it is given, of several too', async () => {
    const foreign = save(
      new X509Certificate(sealSigner(await signedByAnother(sealed, 'Countersign', 'Second'))).toString(),
    );
    expect((await check(sealed, foreign)).last).toMatch(/^FAIL {2}certificate: /);
    const both = save(readFileSync(foreign, 'utf8') + readFileSync(certificate, 'utf8'));
    expect(await check(sealed, both)).toMatchObject({ code: 0, last: 'genuine' });
  });

  test('accepts the second form of an ECDSA signature, as the page says', async () => {
    expect(await check(twinOf(sealed))).toMatchObject({ code: 0, last: 'genuine' });
    expect(page).toContain('the second form of an ECDSA signature');
  });

  test('ends with 2 and says why when it could not check', async () => {
    expect(await run(python, [...alone, script])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage: '),
    });
    for (const args of [
      [join(directory, 'missing.pdf'), certificate],
      [save(sealed), join(directory, 'missing.pem')],
      [save(sealed), save('not a certificate')],
    ]) {
      expect(await run(python, [...alone, script, ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^not checked: /),
      });
    }
  });

  test('checks a time-stamp against the authorities that it is given', async () => {
    const { url, certificate: authority } = await startTsaOf();
    const clock = new TestClock();
    clock.advance({ seconds: Math.round((Date.now() - clock.now().getTime()) / 1000) });
    const stamping = await startTestService({ clock, env: { TSA_URL: url } });
    try {
      const { pdf } = await sealedDocument(stamping, await createCompany(stamping));
      const own = certificateOf(stamping);
      const { code, stdout } = await check(pdf, own, authority);
      expect(code, stdout).toBe(0);
      expect(stdout).toMatch(/\nok {4}authority: /);
      // The file, the seal, and the acts of two recipients.
      expect(stdout.match(/\nok {4}order: /g)).toHaveLength(4);
      await checkAttestationByHand(pdf, own, authority);
      expect((await check(pdf, own)).last).toBe('genuine');
      expect(stdout).toMatch(/\nok {4}added: \d+ bytes of a time-stamp\n/);
      for (const name of ['added', 'extent', 'order']) expect(page).toContain(`| \`${name}\` |`);
      const asSealed = pdf.subarray(0, signatureOf(pdf).end);
      expect((await check(asSealed, own)).last).toBe('genuine');
      expect((await check(withoutTimeStamp(asSealed), own)).last).toMatch(/^FAIL {2}level: /);
      const twice = Buffer.from((await stampPdf(pdf, url)).file);
      expect(await check(twice, own, authority)).toMatchObject({ code: 0, last: 'genuine' });

      const changed = async (change: (opened: PDF) => void) =>
        (await check(Buffer.from((await stampPdf(await updated(asSealed, change), url)).file), own)).last;
      expect(await changed(withNote)).toMatch(/^FAIL {2}added: \d+ bytes change the file/);
      expect(await changed((opened) => opened.setTitle('Other'))).toMatch(/^FAIL {2}added: /);
      expect((await check(await updated(pdf, withNote), own)).last).toMatch(
        /^FAIL {2}end: \d+ bytes follow the time-stamp/,
      );
      // A second time-stamp over a change, also one that a third undoes.
      const noted = (await stampPdf(await updated(pdf, withNote), url)).file;
      expect((await check(Buffer.from(noted), own)).last).toMatch(/^FAIL {2}added: \d+ bytes change the file/);
      const undone = await updated(Buffer.from(noted), (opened) => opened.getPage(0)?.dict.delete('Annots'));
      expect((await check(Buffer.from((await stampPdf(undone, url)).file), own)).last).toMatch(/^FAIL {2}added: /);
      // Validation data of another program.
      const opened = await PDF.load(pdf);
      const archived = await opened.addArchivalData({ timestampAuthority: new HttpTimestampAuthority(url) });
      expect(await check(Buffer.from(archived.bytes), own, authority)).toMatchObject({ code: 0, last: 'genuine' });
      const padded = Buffer.from(pdf);
      padded.write('01', pdf.lastIndexOf('00>'), 'latin1');
      expect((await check(padded, own)).last).toMatch(/^FAIL {2}padding: /);
      expect((await check(flipped(pdf, pdf.lastIndexOf('/F 132') + 3), own, authority)).last).toMatch(
        /^FAIL {2}authority: /,
      );
      for (const [name, attack] of Object.entries({ ...savings, ...wrappings })) {
        expect((await check(await attack(pdf), own, authority)).code, name).toBe(1);
      }
      expect((await check(pdf, own, certificate)).last).toMatch(/^FAIL {2}authority: /);
      expect((await check(sealed, certificate, authority)).last).toMatch(/^FAIL {2}time-stamp: /);
    } finally {
      await stamping.stop();
    }
  });

  /** Runs the commands of the page on the first attestation, and on one of another hash. */
  async function checkAttestationByHand(pdf: Buffer, own: string, authority: string): Promise<void> {
    const [, commands = ''] = /## By hand[\s\S]*?The first attestation[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const at = mkdtempSync(join(directory, 'attestation-'));
    writeFileSync(join(at, 'agreement.pdf'), pdf);
    writeFileSync(join(at, 'seal.pem'), readFileSync(own));
    writeFileSync(join(at, 'tsa.pem'), readFileSync(authority));
    const bash = (text: string) => run('bash', ['-c', text], at);
    const { code, last, stdout, stderr } = await bash(commands);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('CAdES Verification successful');
    expect(stdout).toMatch(/^recipient:\S+ signed 2[\s\S]*Verification: OK\nTime stamp: /);
    expect(last).toBe('valid: the trail names this attestation');
    const other = commands.replace("entry['hash']", "entry['previous_hash']");
    expect((await bash(other)).code).not.toBe(0);
    expect(await bash(commands.replace('sha256sum att', 'md5sum att'))).toMatchObject({
      code: 1,
      last: 'REFUSED: the trail has no such attestation',
    });
    writeFileSync(join(at, 'tsa.pem'), readFileSync(own));
    expect((await bash(commands)).code).not.toBe(0);
  }

  test('the commands of the page check a sealed PDF by hand', async () => {
    const [, commands = ''] = /## By hand[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const at = mkdtempSync(join(directory, 'by-hand-'));
    writeFileSync(join(at, 'agreement.pdf'), sealed);
    writeFileSync(join(at, 'seal.pem'), readFileSync(certificate));
    // Without options of the shell, as when the block is pasted.
    const pasted = () => run('bash', ['-c', commands], at);
    const { code, last, stdout, stderr } = await pasted();
    expect(code, stderr).toBe(0);
    expect(last).toBe('valid: the seal covers the whole file');
    expect(stderr).toContain('CAdES Verification successful');
    const { content_sha256 } = embedded(await PDF.load(sealed), 'audit.json').find(
      ({ action }: ChainedEntry) => action === 'sent',
    ).detail;
    expect(stdout).toContain(content_sha256);

    const attacks = {
      ...{ ...savings, ...wrappings },
      'a changed byte': (pdf: Buffer) => flipped(pdf, offsetOf(pdf, 'stream\n') + 20),
      'bytes between the signed parts': moved,
      'bytes between the signed parts, with a range of their own': (pdf: Buffer) =>
        moved(pdf, ([, b, c, d], space) => `/ByteRange [0 ${b} ${c + space} ${d}]`),
      'no range': (pdf: Buffer) => replaced(pdf, /\/ByteRange/, () => '/ByteRangf'),
    };
    for (const [name, attack] of Object.entries(attacks)) {
      writeFileSync(join(at, 'agreement.pdf'), await attack(sealed));
      const refused = await pasted();
      expect([refused.code, refused.last.split(':')[0]], name).toEqual([1, 'REFUSED']);
    }
  });
});

/** Puts bytes between the signature and the second signed part. `text` is what they begin with. */
function moved(pdf: Buffer, text: (range: ByteRange, space: number) => string = () => '% more'): Buffer {
  const range = findSeals(pdf).at(-1)?.range;
  if (range === undefined) throw new Error('there is no seal');
  const space = 200;
  const inserted = Buffer.from(
    text(range, space)
      .padEnd(space - 1)
      .concat('\n'),
  );
  return Buffer.concat([pdf.subarray(0, range[2]), inserted, pdf.subarray(range[2])]);
}

describe('the page', () => {
  const blocks = (kind: string) => [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))];

  test('has an example of the chain whose hashes are right, and its exact text', () => {
    const [example = ''] = blocks('json').map(([, text]) => text);
    const id = /document `([0-9a-f-]{36})`/.exec(page)?.[1] ?? '';
    const entries = JSON.parse(example).map((entry: Record<string, unknown>) => ({
      ...entry,
      previousHash: Buffer.from(String(entry.previous_hash), 'hex'),
      hash: Buffer.from(String(entry.hash), 'hex'),
    }));
    expect(entries).toHaveLength(2);
    expect(firstBreak(id, entries)).toBe(null);
    const texts = blocks('text').map(([, text]) => (text ?? '').trimEnd());
    for (const { seq, at, actor, action, detail } of entries) {
      expect(texts).toContain(canonicalJson({ document_id: id, seq, at, actor, action, detail }));
    }
  });

  test('has an example of field values whose hashes are right', () => {
    const [, text = '', sha256] = /`(\[\{"id".*?\}\])`\s+has the SHA-256\s+`([0-9a-f]{64})`/.exec(page) ?? [];
    expect(valuesSha256(JSON.parse(text))).toBe(sha256);
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
    expect(page).toContain(valuesSha256([]));
  });

  test('keeps the script at 265 lines', () => {
    expect(readFileSync(script, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(265);
  });
});

async function inPairs<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i += 2) results.push(...(await Promise.all(items.slice(i, i + 2).map(work))));
  return results;
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON is whatever the service embedded
function embedded(opened: PDF, name: string): any {
  return JSON.parse(Buffer.from(opened.getAttachment(name) ?? []).toString());
}

function replaceJson(opened: PDF, name: string, value: unknown): void {
  opened.removeAttachment(name);
  opened.addAttachment(name, Buffer.from(JSON.stringify(value)));
}

type Embedded = { seq: number; at: string; actor: string; action: string; detail: Record<string, unknown> };

function withTrail(change: (trail: Embedded[], documentId: string) => unknown): (opened: PDF) => void {
  return (opened) => {
    const { id } = embedded(opened, 'content.json');
    replaceJson(opened, 'audit.json', change(embedded(opened, 'audit.json'), id));
  };
}

function isSignature({ action }: Embedded): boolean {
  return action === 'signed';
}

/** Renumbers the entries and recomputes their hashes. */
function chained(trail: readonly Embedded[], documentId: string): unknown[] {
  let head = emptyChain;
  return trail.map((entry) => {
    const { previousHash, hash, ...rest } = chainEntry(documentId, head, entry as ChainedEntry);
    head = { seq: rest.seq, hash };
    return { ...rest, hash: hash.toString('hex'), previous_hash: previousHash.toString('hex') };
  });
}

function withoutAttestations(opened: PDF): void {
  opened.removeAttachment('attestations.json');
  withTrail((trail, id) =>
    chained(
      trail.filter(({ action }) => action !== 'attested'),
      id,
    ),
  )(opened);
}

type EmbeddedAttestation = { entry: number; cms: string };

/** Gives each act the attestation of the other one. */
function exchanged(all: EmbeddedAttestation[]): unknown {
  return all.map((one, index) => ({ ...one, cms: all.at(-1 - index)?.cms }));
}

/** Changes the signature value of the last attestation. */
function altered(all: EmbeddedAttestation[]): EmbeddedAttestation[] {
  return all.map((one, index) => {
    if (index < all.length - 1) return one;
    const cms = Buffer.from(one.cms, 'base64');
    return { ...one, cms: flipped(cms, cms.length - 3).toString('base64') };
  });
}

/** Swaps the values of two recipients. */
function swapped(values: Array<{ recipient_id: string; values: unknown }>): unknown {
  return values.map((one, index) => ({ ...one, values: values.at(-1 - index)?.values }));
}
