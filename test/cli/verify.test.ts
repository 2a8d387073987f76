import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { type Sealed, sealedDocument, sealedInTestMode } from '../verify/sealed.ts';
import { plainPdf, updated, withNote } from '../verify/tampering.ts';
import { placeOn, temporaryDirectory } from './countersign.ts';

let app: TestService;
let company: Company;
let sealed: Sealed;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  sealed = await sealedDocument(app, company);
});
afterAll(() => app.stop());

/** Another machine: it reaches no database, and has only the service's data that a test gives it. */
function elsewhere(withCertificates: boolean) {
  const at = placeOn({ DATABASE_URL: 'postgresql://127.0.0.1:1/nowhere' });
  if (withCertificates)
    cpSync(join(app.dataDir, 'certificates'), join(at.dataDir, 'certificates'), { recursive: true });
  const save = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(at.cwd, name), bytes);
    return name;
  };
  return { ...at, save };
}

const certificateFile = () => {
  const directory = join(app.dataDir, 'certificates');
  return join(directory, readdirSync(directory)[0] ?? '');
};

test('a completed PDF is valid, offline and with exit 0: who and when, on a card', async () => {
  const at = elsewhere(true);
  const file = at.save('agreement.pdf', sealed.pdf);
  const report = await at.json<{ verdict: string; parties: Array<{ name: string }>; document: { id: string } }>(
    'verify',
    file,
  );
  expect({ verdict: report.verdict, id: report.document.id }).toEqual({ verdict: 'valid', id: sealed.id });
  expect(report.parties.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Bo Approver', 'Carl Copy']);

  const { code, stdout, stderr } = await at.run('verify', file);
  expect(stdout.toString()).not.toContain('undefined');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.toString().split('\n');
  expect(lines[0]).toMatch(/^verdict +valid: This document is genuine and unaltered$/);
  const time = app.clock.now().toISOString();
  expect(lines).toContain(`  Ada Lovelace: signed ${time} (personal link sent by e-mail), attested ${time}`);
  expect(lines).toContain(`  Bo Approver: approved ${time} (personal link sent by e-mail), attested ${time}`);
  expect(lines).toContain('  Carl Copy: received a copy');
  expect(lines.some((line) => /^ {2}ok {4}audit_trail_intact /.test(line))).toBe(true);
});

test('a document that was sent in test mode says so on its card', async () => {
  const { pdf } = await sealedInTestMode(app, company);
  const at = elsewhere(true);
  const { code, stdout } = await at.run('verify', at.save('test.pdf', pdf));
  expect(code).toBe(0);
  const lines = stdout.toString().split('\n');
  expect(lines[1]).toMatch(/^mode +test: not a real signature$/);
  const time = app.clock.now().toISOString();
  expect(lines).toContain(`  Ada Lovelace: signed ${time} (personal link, not sent), attested ${time}`);
  expect(lines).toContain('  Carl Copy: no copy was sent');
});

test('an altered one is refused: one JSON value on stdout, one line on stderr, exit 1', async () => {
  const at = elsewhere(true);
  const file = at.save('altered.pdf', await updated(sealed.pdf, withNote));
  const { code, stdout, stderr } = await at.run('verify', file, '--json');
  expect(code).toBe(1);
  const report = JSON.parse(stdout.toString());
  expect(report.verdict).toBe('altered');
  expect(report.findings.filter(({ ok }: { ok: boolean }) => ok === false)).toMatchObject([{ id: 'update_appended' }]);
  expect(stderr).toBe('countersign: altered: This document was altered after it was sealed\n');
  expect((await at.run('verify', at.save('plain.pdf', await plainPdf()))).stdout.toString()).toMatch(
    /^verdict {2}not_sealed: .*\n[\s\S]*FAIL {2}no_seal /,
  );
});

test('a machine without the certificate names the signer; `--certificate` is enough to verify', async () => {
  const at = elsewhere(false);
  const file = at.save('agreement.pdf', sealed.pdf);
  const { code, stdout } = await at.run('verify', file);
  expect(code).toBe(1);
  const fingerprint = /certificates\/([0-9a-f]{64})\.pem$/.exec(certificateFile())?.[1];
  expect(stdout.toString()).toContain(
    `Signed by CN=Countersign, fingerprint ${fingerprint}. This machine has no certificate of the service`,
  );
  const given = await at.json<{ verdict: string }>('verify', file, '--certificate', certificateFile());
  expect(given.verdict).toBe('valid');
});

test('what is embedded is saved, and never over what is there', async () => {
  const at = elsewhere(true);
  const file = at.save('agreement.pdf', sealed.pdf);
  const { extracted, document } = await at.json<{ extracted: string[]; document: { content_sha256: string } }>(
    'verify',
    file,
    '--extract',
    'inside',
  );
  expect(extracted).toEqual(['inside/content.json', 'inside/audit.json', 'inside/attestations.json']);
  const saved = (name: string) => readFileSync(join(at.cwd, 'inside', name));
  expect(createHash('sha256').update(saved('content.json')).digest('hex')).toBe(document.content_sha256);
  expect(JSON.parse(saved('audit.json').toString()).map(({ action }: { action: string }) => action)).toContain(
    'signed',
  );

  writeFileSync(join(at.cwd, 'inside', 'content.json'), 'mine');
  expect(await at.fails(1, 'verify', file, '--extract', 'inside')).toMatch(/content\.json is there already/);
  expect(await at.fails(1, 'verify', file, '--extract', '/proc/nope')).toMatch(/\/proc\/nope/);
  expect(saved('content.json').toString()).toBe('mine');

  const altered = at.save('altered.pdf', await updated(sealed.pdf, withNote));
  expect((await at.run('verify', altered, '--extract', 'nothing')).code).toBe(1);
  expect(readdirSync(join(at.cwd, 'nothing'))).toEqual([]); // the contents of a broken seal prove nothing
});

test('the certificate that sealed is kept, readable by anyone, under its fingerprint', () => {
  const file = certificateFile();
  const der = Buffer.from(readFileSync(file, 'utf8').replace(/-----[^-]+-----|\s/g, ''), 'base64');
  expect(file).toContain(createHash('sha256').update(der).digest('hex'));
});

test('wrong usage is one line', async () => {
  const at = elsewhere(true);
  expect(await at.fails(2, 'verify')).toMatch(/missing required argument/);
  expect(await at.fails(1, 'verify', 'absent.pdf')).toBe('there is no file absent.pdf');
  mkdirSync(join(at.cwd, 'folder'));
  expect(await at.fails(1, 'verify', 'folder')).toMatch(/not a file/);
  const file = at.save('agreement.pdf', sealed.pdf);
  expect(await at.fails(2, 'verify', file, '--certificate', file)).toMatch(/holds no certificate in PEM/);
  const broken = join(temporaryDirectory(), 'broken.pem');
  writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  expect(await at.fails(2, 'verify', file, '--certificate', broken)).toMatch(/holds no certificate in PEM/);
  expect(await at.fails(1, 'verify', file, '--certificate', 'absent.pem')).toBe('there is no file absent.pem');
});

test('what a file says cannot play tricks on the terminal', async () => {
  const at = elsewhere(true);
  const { stdout } = await at.run('verify', at.save('\u001b[2J.txt', '\u001b[2J'));
  expect(stdout.toString()).not.toContain('\u001b');
});
