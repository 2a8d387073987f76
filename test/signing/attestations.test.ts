import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PDF } from '@libpdf/core';
import { afterEach, expect, test } from 'vitest';
import { firstBreak } from '../../src/documents/audit.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { readSignedData } from '../../src/pdf/reading/signed-data.ts';
import { timeStampAttribute } from '../../src/pdf/reading/time-stamp.ts';
import { pdfText, temporaryDirectory, testCertificate, testWorker } from '../../src/sealing/testing/tools.ts';
import { startTsaOf } from '../../src/sealing/testing/tsa-server.ts';
import { attestActs, requeueUnattested } from '../../src/signing/attest-acts.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  TestClock,
  type TestService,
  type TestServiceOptions,
} from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { postPdf, sealedPdf } from '../verify/sealed.ts';
import { auditOf, openLinkOf, signature } from './signer.ts';

const services: TestService[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((app) => app.stop()));
});

async function start(options: TestServiceOptions = {}): Promise<[TestService, Company]> {
  const app = await startTestService(options);
  services.push(app);
  return [app, await createCompany(app)];
}

/** A clock at the present time, which time-stamps have. */
function presentClock(): TestClock {
  const clock = new TestClock();
  clock.advance({ seconds: Math.round((Date.now() - clock.now().getTime()) / 1000) });
  return clock;
}

const two = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Bo Núñez', email: 'bo@example.com', role: 'approver' },
];
const inTurn = { recipients: two, content: { sign_order_mode: 'sequential' } };
const atOnce = { recipients: two.map(({ name, email }) => ({ name, email })) };

async function act(app: TestService, company: Company, id: string, name: string, action = 'sign'): Promise<void> {
  const signer = await openLinkOf(app, company, id, name);
  const body = action === 'sign' ? { ...signature, full_name: name } : { reason: 'Too expensive' };
  const answer = await signer.post(action, body);
  expect(answer.status, answer.text).toBe(200);
}

const attestationsIn = async (app: TestService, company: Company, id: string) =>
  (await auditOf(app, company, id)).filter(({ action }) => action === 'attested');

/** Waits until a document has so many attestations. */
const attested = (app: TestService, company: Company, id: string, acts: number) =>
  eventually(
    () => attestationsIn(app, company, id),
    (entries) => entries.length >= acts,
  );

const rowsOf = (app: TestService, id: string) =>
  app.db.query<{ entry: number; cms: Buffer | null }>({
    name: '',
    text: 'select entry, cms from attestations where document_id = $1 order by entry',
    values: [id],
  });

/** Expects one attestation of each act, and a trail that can be checked. */
async function expectAttestedOnce(app: TestService, company: Company, id: string): Promise<void> {
  const trail = await auditOf(app, company, id);
  expect(firstBreak(id, trail)).toBe(null);
  const acts = trail.filter(({ action }) => ['signed', 'approved', 'declined'].includes(action));
  const entries = trail.filter(({ action }) => action === 'attested');
  expect(entries.map(({ detail }) => detail.entry).sort()).toEqual(acts.map(({ seq }) => seq).sort());
  for (const { seq, hash } of acts) {
    const own = entries.find(({ detail }) => detail.entry === seq);
    expect(own?.detail.entry_hash).toBe(hash.toString('hex'));
  }
  expect((await rowsOf(app, id)).map(({ entry, cms }) => [entry, cms !== null])).toEqual(
    acts.map(({ seq }) => [seq, true]),
  );
}

const run = promisify(execFile);

/** Checks an attestation with OpenSSL alone. */
async function checkWithOpenssl(app: TestService, cms: Buffer, hash: string, tsa: string): Promise<void> {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  const [certificate = ''] = readdirSync(join(app.dataDir, 'certificates'));
  copyFileSync(join(app.dataDir, 'certificates', certificate), path('seal.pem'));
  const { signature: value, unsignedAttributes, signingTime } = readSignedData(cms);
  expect(signingTime).not.toBe(null); // CAdES baseline demands it
  writeFileSync(path('hash'), hash);
  writeFileSync(path('cms'), cms);
  writeFileSync(path('value'), value);
  writeFileSync(path('token'), unsignedAttributes.get(timeStampAttribute)?.raw ?? '');
  const verified = await run('openssl', [
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', path('cms'), '-content', path('hash')],
    ...['-nointern', '-certfile', path('seal.pem'), '-CAfile', path('seal.pem'), '-partial_chain', '-purpose', 'any'],
  ]);
  expect(verified.stderr).toContain('CAdES Verification successful');
  const stamp = ['ts', '-verify', '-token_in', '-in', path('token'), '-data', path('value'), '-CAfile', tsa];
  expect((await run('openssl', [...stamp, '-partial_chain'])).stdout).toContain('Verification: OK');
}

test.runIf(hasTool('openssl'))(
  'each act has a signature and a time-stamp of its own, as soon as it happens',
  async () => {
    const { url, certificate } = await startTsaOf();
    const [app, company] = await start({ clock: presentClock(), env: { TSA_URL: url, TSA_TRUST_FILE: certificate } });
    const id = await createSent(app, company.key, inTurn);
    await act(app, company, id, 'Ada Lovelace');
    const [first] = await attested(app, company, id, 1);
    const trail = await auditOf(app, company, id);
    const signed = trail.find(({ action }) => action === 'signed');
    expect(first).toMatchObject({
      actor: 'service',
      detail: { entry: signed?.seq, entry_hash: signed?.hash.toString('hex'), authority: 'Test TSA' },
    });
    const [row] = await rowsOf(app, id);
    await checkWithOpenssl(app, row?.cms as Buffer, signed?.hash.toString('hex') ?? '', certificate);

    await act(app, company, id, 'Bo Núñez');
    const pdf = await sealedPdf(app, id);
    await expectAttestedOnce(app, company, id);
    const { body, against } = await postPdf(app, pdf);
    expect([body.verdict, ...against]).toEqual(['valid']);
    const found = Object.fromEntries(body.findings.map(({ id, text }: { id: string; text: string }) => [id, text]));
    expect(found.acts_attested).toContain('2 signatures or approvals');
    expect(found.acts_time_stamped).toContain('2 signatures or approvals');
    const stamped = { at: expect.any(String), authority: 'CN=Test TSA', verified: true };
    expect(body.parties.map(({ attestation }: { attestation: unknown }) => attestation)).toEqual([
      { at: expect.any(String), time_stamp: stamped },
      { at: expect.any(String), time_stamp: stamped },
    ]);
    expect(pdfText(pdf).match(/UTC by Test TSA/g)).toHaveLength(2);
  },
);

test('a refusal is attested, a test document too, and without an authority there is no time-stamp', async () => {
  const [app, company] = await start();
  const id = await createSent(app, company.testKey, inTurn);
  await act(app, company, id, 'Ada Lovelace');
  await attested(app, company, id, 1);
  await act(app, company, id, 'Bo Núñez', 'decline');
  const entries = await attested(app, company, id, 2);
  expect(entries.map(({ detail }) => [detail.time_stamp, detail.authority])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  await expectAttestedOnce(app, company, id);
});

test('recipients who complete a document at the same time are all attested in its sealed PDF', async () => {
  const [app, company] = await start();
  const id = await createSent(app, company.key, atOnce);
  await Promise.all(two.map(({ name }) => act(app, company, id, name)));
  const opened = await PDF.load(await sealedPdf(app, id));
  const embedded = JSON.parse(Buffer.from(opened.getAttachment('attestations.json') ?? []).toString());
  expect(embedded.map(({ entry }: { entry: number }) => entry)).toEqual(
    (await auditOf(app, company, id)).filter(({ action }) => action === 'signed').map(({ seq }) => seq),
  );
  await expectAttestedOnce(app, company, id);
});

test('an act is attested once, whatever works on it at the same time, and a lost job is found', async () => {
  const [app, company] = await start({ env: { ROLE: 'web' } });
  const id = await createSent(app, company.key, inTurn);
  await act(app, company, id, 'Ada Lovelace');
  await app.db.query({ name: '', text: `delete from jobs.job where name = 'attest-act'`, values: [] });
  const queue = await app.queue();
  expect(await requeueUnattested(app.world, app.db, queue)).toBe(0);
  app.clock.advance({ minutes: 16 });
  expect(await requeueUnattested(app.world, app.db, queue)).toBe(1);
  expect(await requeueUnattested(app.world, app.db, queue)).toBe(0);
  const jobs = `select data->>'documentId' as id from jobs.job where name = 'attest-act'`;
  expect(await app.db.query({ name: '', text: jobs, values: [] })).toEqual([{ id }]);

  const worker = await testWorker({ clock: app.clock, processes: 2 });
  const document = { id, account_id: company.id };
  await Promise.all([1, 2, 3].map(() => attestActs(app.world, app.db, worker, document)));
  await attestActs(app.world, app.db, worker, document);
  await expectAttestedOnce(app, company, id);
  expect(await requeueUnattested(app.world, app.db, queue)).toBe(0);
});

test('signing does not wait for the authority, and what was signed before it answers is attested later', async () => {
  const port = await freePort();
  const [app, company] = await start({ clock: presentClock(), env: { TSA_URL: `http://127.0.0.1:${port}/` } });
  const voided = await createSent(app, company.key, inTurn);
  await act(app, company, voided, 'Ada Lovelace');
  const queue = await app.queue();
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, voided, 'all');
    if (document !== null) await voidDocument(app.world, tx, queue, document, 'operator', 'Not needed');
  });
  const id = await createSent(app, company.key, inTurn);
  for (const { name } of two) await act(app, company, id, name);
  await eventually(
    () => retried(app),
    (jobs) => jobs.includes('attest-act') && jobs.includes('seal-document'),
  );
  expect(await attestationsIn(app, company, id)).toEqual([]);

  const { url } = await startTsaOf(() => {}, Number(port));
  expect(url).toContain(String(port));
  await eventually(
    async () => {
      await retried(app);
      return (await attestationsIn(app, company, voided)).length + (await attestationsIn(app, company, id)).length;
    },
    (entries) => entries === 3,
  );
  await sealedPdf(app, id);
  await expectAttestedOnce(app, company, id);
  await expectAttestedOnce(app, company, voided);
});

/** Makes all retries due at once, so that the test doesn't wait for them. Returns their names. */
async function retried(app: TestService): Promise<string[]> {
  const rows = await app.db.query<{ name: string }>({
    name: '',
    text: `update jobs.job set start_after = now() where state = 'retry' returning name`,
    values: [],
  });
  return rows.map(({ name }) => name);
}

test('after a renewal of the certificate between two recipients, both attestations are confirmed', async () => {
  const [one, other] = [await testCertificate(), await testCertificate()];
  const file = join(temporaryDirectory(), 'seal.p12');
  copyFileSync(one.file, file);
  const env = { SIGNING_CERT_FILE: file, SIGNING_CERT_PASSWORD: one.password };
  const [app, company] = await start({ env });
  const id = await createSent(app, company.key, inTurn);
  await act(app, company, id, 'Ada Lovelace');
  await attested(app, company, id, 1);
  copyFileSync(other.file, file);
  await act(app, company, id, 'Bo Núñez');
  const pdf = await sealedPdf(app, id);
  await expectAttestedOnce(app, company, id);
  const signers = (await rowsOf(app, id)).map(({ cms }) => readSignedData(cms as Buffer).signer?.fingerprint256);
  expect(new Set(signers).size).toBe(2);
  const { body } = await postPdf(app, pdf);
  expect(body.parties.every(({ attestation }: { attestation: unknown }) => attestation !== null)).toBe(true);

  const certificates = join(app.dataDir, 'certificates');
  for (const name of readdirSync(certificates)) {
    if (
      readFileSync(join(certificates, name), 'utf8') ===
      readSignedData((await rowsOf(app, id))[0]?.cms as Buffer).signer?.toString()
    )
      rmSync(join(certificates, name));
  }
  const unknown = await postPdf(app, pdf);
  expect(unknown.body.verdict).toBe('valid');
  expect(unknown.body.findings).toContainEqual(
    expect.objectContaining({ id: 'attestation_certificate_unknown', ok: null, text: expect.stringContaining('Ada') }),
  );
});

test('a document from before the upgrade is sealed without attestations, and one in between with those it has', async () => {
  const [app, company] = await start({ env: { ROLE: 'web' } });
  const before = await createSent(app, company.key, inTurn);
  const between = await createSent(app, company.key, inTurn);
  for (const id of [before, between]) await act(app, company, id, 'Ada Lovelace');
  await app.db.query({ name: '', text: 'delete from attestations', values: [] });
  for (const id of [before, between]) await act(app, company, id, 'Bo Núñez');
  await app.db.query({ name: '', text: 'delete from attestations where document_id = $1', values: [before] });
  const worker = await startTestService({
    env: { ROLE: 'worker', DATA_DIR: app.dataDir },
    databaseUrl: app.databaseUrl,
    clock: app.clock,
  });
  services.unshift(worker);
  for (const [id, expected] of [
    [before, [null, null]],
    [between, [null, { at: expect.any(String), time_stamp: null }]],
  ] as const) {
    const { body, against } = await postPdf(app, await sealedPdf(app, id));
    expect([body.verdict, ...against]).toEqual(['valid']);
    expect(body.parties.map(({ attestation }: { attestation: unknown }) => attestation)).toEqual(expected);
  }
});
