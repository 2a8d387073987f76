import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { countRenewals, findSealedVersion } from '../../src/documents/seal-renewals.ts';
import { removeUnreferencedFiles } from '../../src/documents/stored-files.ts';
import { PdfWorkerError } from '../../src/pdf/process/pdf-worker-error.ts';
import { readTrustAnchors } from '../../src/pdf/signatures/read-trust-anchors.ts';
import { stampPdf } from '../../src/pdf/signatures/stamp-pdf.ts';
import { openFileStore } from '../../src/platform/files.ts';
import { createPdfWorker } from '../../src/sealing/pdf-worker.ts';
import { type ShortLivedTsa, startShortLivedTsa } from '../../src/sealing/testing/short-lived-tsa.ts';
import { signatureOf } from '../../src/sealing/testing/signature-of.ts';
import { inspect, temporaryDirectory } from '../../src/sealing/testing/tools.ts';
import { type RenewalOutcome, type Renewing, renewSealedFile, renewSeals } from '../../src/signing/renew-seals.ts';
import { bin, placeOn } from '../cli/countersign.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  TestClock,
  type TestService,
} from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { postPdf, sealedDocument } from './sealed.ts';
import { updated } from './tampering.ts';

const services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0).reverse()) await service.stop();
});

const s3 = { endpoint: null } as never;
const hasTools = hasTool('openssl');

interface Scene {
  service: TestService;
  company: Company;
  clock: TestClock;
  tsa: ShortLivedTsa;
  id: string;
  pdf: Buffer;
  dataDir: string;
  renewing: Renewing;
  /** Runs the scheduled job once. */
  renew(changes?: Partial<Renewing>): Promise<RenewalOutcome[]>;
  /** Returns the sealed file of the document now. */
  file(): Promise<Buffer>;
}

/** Seals a document with a time-stamp whose certificate is valid for so many days. Then only web processes run. */
async function scene(days: number, clock = new TestClock()): Promise<Scene> {
  const tsa = await startShortLivedTsa(clock, days);
  const env = { TSA_URL: tsa.url, TSA_TRUST_FILE: tsa.root };
  const sealing = await startTestService({ clock, env });
  services.push(sealing);
  const company = await createCompany(sealing);
  const { id, pdf } = await sealedDocument(sealing, company);
  await sealing.service.stop();
  const web = { ...env, ROLE: 'web', DATA_DIR: sealing.dataDir };
  const service = await startTestService({ clock, databaseUrl: sealing.databaseUrl, env: web });
  services.push(service);
  const pdfWorker = createPdfWorker({
    certificate: { file: '/nowhere', password: '' },
    tsaUrl: tsa.url,
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 768 * 2 ** 20,
    log: service.world.log,
  });
  onTestFinished(() => pdfWorker.close());
  const renewing: Renewing = {
    pdf: pdfWorker,
    files: await openFileStore(`file:${sealing.dataDir}/files`, s3),
    tsaUrl: tsa.url,
    anchors: await readTrustAnchors(tsa.root),
  };
  const { signal: stopping } = new AbortController();
  const fileOf = async () => (await one<{ file: string }>(service, 'select sealed_file as file from documents')).file;
  return {
    ...{ service, dataDir: sealing.dataDir, company, clock, tsa, id, pdf, renewing },
    renew: (changes = {}) =>
      renewSeals(service.world, service.db, { ...renewing, ...changes }, { actor: 'service', stopping }),
    file: async () => readFileSync(join(sealing.dataDir, 'files', await fileOf())),
  };
}

async function one<Row>(service: TestService, text: string): Promise<Row> {
  const [row] = await service.db.query<Row>({ name: '', text, values: [] });
  return row as Row;
}

/** Returns the verdict and the findings about time-stamps and the record. */
async function judged(service: TestService, pdf: Buffer): Promise<string[]> {
  const { body } = await postPdf(service, pdf);
  const ids = body.findings.map(({ id }: { id: string }) => id);
  return [body.verdict, ...ids.filter((id: string) => /^(?!acts?_).*(?:recorded|time_stamp|appended)/.test(id))];
}

/** Exits of independent programs over the file. */
async function judgedElsewhere({ dataDir, tsa }: Scene, pdf: Buffer) {
  const directory = temporaryDirectory();
  const at = join(directory, 'file.pdf');
  writeFileSync(at, pdf);
  const [own = ''] = readdirSync(join(dataDir, 'certificates'));
  const script = join(import.meta.dirname, '../../docs/verify/check_sealed_pdf.py');
  const python = spawnSync('python3', [script, at, join(dataDir, 'certificates', own), tsa.root], { encoding: 'utf8' });
  return { script: python.stdout.trim().split('\n').at(-1), python, qpdf: inspect(pdf, 'qpdf', ['--check']) };
}

const stamped = 'document_time_stamped';

test.runIf(hasTools)(
  'a sealed file is renewed twice before its time-stamps end, and every version is genuine',
  async () => {
    const at = await scene(300);
    const { service, clock, tsa, id, pdf } = at;
    expect(await at.renew()).toEqual([]);
    clock.advance({ days: 209 });
    expect(await at.renew()).toEqual([]);

    clock.advance({ days: 2 });
    await tsa.issue(400);
    const [first] = await at.renew();
    const until = new Date(clock.now().getTime() + 400 * 86_400_000);
    expect(first).toMatchObject({ kind: 'renewed', until: expect.any(Date) });
    expect(Math.abs((first as { until: Date }).until.getTime() - until.getTime())).toBeLessThan(86_400_000);
    const once = await at.file();
    expect(once.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect(await at.renew()).toEqual([]);

    // Its first time-stamp has ended now.
    clock.advance({ days: 320 });
    await tsa.issue(400);
    expect(await at.renew()).toMatchObject([{ kind: 'renewed' }]);
    const twice = await at.file();
    expect(twice.subarray(0, once.length).equals(once)).toBe(true);
    expect(await judged(service, twice)).toEqual(['valid', 'recorded_here', 'time_stamped', stamped, stamped, stamped]);
    const { body } = await postPdf(service, twice);
    expect(body.seal.document_time_stamps.map(({ authority }: { authority: string }) => authority)).toEqual(
      [300, 400, 400].map((days) => `CN=Time for ${days} days`),
    );

    // Copies of earlier versions are on record. Their time-stamps are no longer covered by a later one.
    expect(await judged(service, once)).toEqual(['valid', 'recorded_here', 'time_stamped', stamped, stamped]);
    const ended = ['time_stamp_ended', 'document_time_stamp_ended'];
    expect(await judged(service, pdf)).toEqual(['valid', 'recorded_here', ...ended]);
    expect(await judged(service, pdf.subarray(0, signatureOf(pdf).end))).toEqual(['altered', 'not_as_recorded']);

    const elsewhere = await judgedElsewhere(at, twice);
    expect(elsewhere.script, elsewhere.python.stdout + elsewhere.python.stderr).toBe('genuine');
    expect(elsewhere.qpdf).not.toMatch(/failed|WARNING/);
    expect(inspect(twice, 'pdfsig').match(/Signature is Valid/g)?.length).toBeGreaterThanOrEqual(1);

    // Recorded in the trail, which can still be checked, and not in the API.
    const trail = await readAudit(service.db, at.company.id, id);
    expect(firstBreak(id, trail)).toBeNull();
    const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(trail.filter(({ action }) => action === 'renewed').map(({ actor, detail }) => ({ actor, detail }))).toEqual(
      [
        [pdf, once],
        [once, twice],
      ].map(([before, after]) => ({
        actor: 'service',
        detail: {
          sha256: sha256(after as Buffer),
          previous_sha256: sha256(before as Buffer),
          stamped_until: expect.any(String),
        },
      })),
    );
    const versions = await service.db.query<{ version: number; is_due: boolean }>({
      name: '',
      text: 'select version, renew_at is not null as is_due from sealed_files order by version',
      values: [],
    });
    expect(versions.map(({ version, is_due }) => [version, is_due])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
  },
);

interface State {
  file: string;
  versions: number;
  failures: number;
  failure: string | null;
  /** Seconds until the next attempt. */
  wait: number;
  audited: number;
}

async function stateOf({ service, clock }: Scene): Promise<State> {
  const text = `select d.sealed_file as file, f.version as versions, f.renewal_failures as failures, f.renewal_failure as failure,
      extract(epoch from f.renew_at - '${clock.now().toISOString()}')::float8 as wait,
      (select count(*)::int from audit_entries where action = 'renewed') as audited
    from documents d join sealed_files f on f.document_id = d.id order by f.version desc limit 1`;
  return one<State>(service, text);
}

test.runIf(hasTools)(
  'whatever the authority does, the file stays, and is tried again later and less often',
  async () => {
    const at = await scene(300);
    const { tsa, clock } = at;
    const { file } = await stateOf(at);
    clock.advance({ days: 220 });
    const failed = async (reason: string, changes: Partial<Renewing> = {}) => {
      const outcomes = await at.renew(changes);
      expect(outcomes).toMatchObject([{ kind: 'failed', reason }]);
      const state = await stateOf(at);
      expect(state).toMatchObject({ file, versions: 1, failure: reason, audited: 0 });
      expect(await at.renew()).toEqual([]);
      clock.advance({ seconds: Math.ceil(state.wait) + 1 });
      return state.wait;
    };
    tsa.manner = 'down';
    expect(Math.round((await failed('authority')) / 60)).toBe(15);
    tsa.manner = 'rubbish';
    expect(Math.round((await failed('authority')) / 60)).toBe(30);
    tsa.manner = 'unsigned';
    expect(Math.round((await failed('authority')) / 60)).toBe(60);
    tsa.manner = 'good';
    // Its certificate is the one that ends, or ends earlier.
    expect(Math.round((await failed('no_later')) / 60)).toBe(120);
    await tsa.issue(30);
    await failed('no_later');
    await tsa.issue(400);
    const foreign = await startShortLivedTsa(clock, 400);
    await failed('authority', { tsaUrl: foreign.url });
    expect(await at.renew()).toMatchObject([{ kind: 'renewed' }]);
    expect(await stateOf(at)).toMatchObject({ versions: 2, failures: 0, failure: null, audited: 1 });
    // Nobody asks again.
    const { asked } = tsa;
    clock.advance({ days: 1 });
    expect(await at.renew()).toEqual([]);
    expect(tsa.asked).toBe(asked);
  },
);

test.runIf(hasTools)('a download address still returns the file that was named with it after a renewal', async () => {
  const at = await scene(300);
  const { service, company, clock, tsa, id, pdf } = at;
  clock.advance({ days: 220 });
  await tsa.issue(400);
  const download = async () => (await call(service, 'GET', `/documents/${id}/download`, { key: company.key })).body;
  const contentOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
  const before = await download();
  expect(await at.renew()).toMatchObject([{ kind: 'renewed' }]);
  expect((await contentOf(before.url)).equals(pdf)).toBe(true);
  expect((await fetch(before.url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(before.bytes));
  const after = await download();
  expect(after.sha256).not.toBe(before.sha256);
  expect((await contentOf(after.url)).equals(await at.file())).toBe(true);

  await service.db.query({ name: '', text: 'update documents set sealed_file = null', values: [] });
  expect((await fetch(before.url)).status).toBe(404);
});

test.runIf(hasTools)('files that cannot be renewed do not keep others waiting', async () => {
  const at = await scene(300);
  const { service, clock, tsa, dataDir } = at;
  const { file } = await stateOf(at);
  clock.advance({ days: 220 });
  await tsa.issue(400);
  // The store has lost it.
  const path = join(dataDir, 'files', file);
  const pdf = readFileSync(path);
  rmSync(path);
  expect(await at.renew()).toMatchObject([{ kind: 'failed', reason: 'missing' }]);
  const later = async () => clock.advance({ seconds: Math.ceil((await stateOf(at)).wait) + 1 });
  await later();
  // Something else is in its place.
  writeFileSync(path, Buffer.concat([pdf, Buffer.from('% more\n')]));
  expect(await at.renew()).toMatchObject([{ kind: 'failed', reason: 'failed' }]);
  await later();
  // Reading it takes too much.
  writeFileSync(path, pdf);
  const busy = {
    renew: () => Promise.reject(new PdfWorkerError('memory', 'the PDF took more than 768 MiB of memory')),
  };
  expect(await at.renew({ pdf: busy })).toMatchObject([{ kind: 'failed', reason: 'failed' }]);
  await later();
  // A fault of the service is thrown, and the file is looked at again after its lease.
  const closed = { renew: () => Promise.reject(new PdfWorkerError('closed', 'the PDF worker was closed')) };
  await expect(at.renew({ pdf: closed })).rejects.toThrow('closed');
  expect(await at.renew()).toEqual([]);
  clock.advance({ minutes: 16 });
  expect(await at.renew()).toMatchObject([{ kind: 'renewed' }]);
  expect(await judged(service, await at.file())).toContain('recorded_here');
});

test.runIf(hasTools)('a document that is erased or renewed meanwhile keeps what it has', async () => {
  const at = await scene(300);
  const { service, clock, tsa, renewing, company, id } = at;
  clock.advance({ days: 220 });
  await tsa.issue(400);
  const before = await stateOf(at);
  const claimed = await findSealedVersion(service.db, company.id, id);
  if (claimed === null) throw new Error('there is no sealed file');
  const renewNow = () =>
    renewSealedFile(service.world, service.db, renewing, claimed, { actor: 'operator', isForced: true });
  const outcomes = await Promise.all([renewNow(), renewNow(), at.renew()]);
  expect(
    outcomes
      .flat()
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['gone', 'gone', 'renewed']);
  const renewed = await stateOf(at);
  expect(renewed).toMatchObject({ versions: 2, audited: 1 });
  expect(renewed.file).not.toBe(before.file);
  expect(await renewNow()).toEqual({ kind: 'gone' });

  // What was released or never used is removed after its time. The file in use stays.
  const stored = () =>
    readdirSync(join(at.dataDir, 'files', 'sha256'), { recursive: true }).filter((name) => String(name).length > 60);
  expect(stored().length).toBe(4);
  clock.advance({ days: 40 });
  await removeUnreferencedFiles(service.world, service.db, renewing.files, 30);
  expect(stored()).toEqual([renewed.file.replace('sha256/', '')]);

  // Erased while its next time-stamp is made.
  clock.advance({ days: 300 });
  await tsa.issue(800);
  const erase = 'update documents set sealed_file = null where sealed_file is not null';
  const pdf = {
    async renew(...input: Parameters<Renewing['pdf']['renew']>) {
      const result = await renewing.pdf.renew(...input);
      await service.db.query({ name: '', text: erase, values: [] });
      return result;
    },
  };
  expect(await at.renew({ pdf })).toEqual([{ kind: 'gone' }]);
  expect(await stateOf(at)).toMatchObject({ file: null, versions: 2, audited: 1 });
  clock.advance({ minutes: 16 });
  expect(await at.renew()).toEqual([{ kind: 'gone' }]);
  clock.advance({ days: 100 });
  expect(await at.renew()).toEqual([]);
});

test.runIf(hasTools)(
  'files of earlier versions are read once, and those without a time-stamp never again',
  async () => {
    const at = await scene(300);
    const { service, clock, tsa } = at;
    const forget = "update sealed_files set renew_at = 'epoch', stamped_until = null";
    await service.db.query({ name: '', text: forget, values: [] });
    expect(await countRenewals(service.db, clock.now())).toEqual({ due: 0, failing: 0, ended: 0, unread: 1 });
    expect(await at.renew()).toMatchObject([{ kind: 'kept', until: expect.any(Date) }]);
    expect(await at.renew()).toEqual([]);
    clock.advance({ days: 305 });
    expect(await countRenewals(service.db, clock.now())).toEqual({ due: 1, failing: 0, ended: 1, unread: 0 });
    await tsa.issue(400);
    expect(await at.renew()).toMatchObject([{ kind: 'renewed' }]);
    expect(await countRenewals(service.db, clock.now())).toEqual({ due: 0, failing: 0, ended: 0, unread: 0 });
  },
);

test.runIf(hasTools)(
  'kill -9 while the authority is asked, and before the commit: nothing is lost, and the next try succeeds',
  async () => {
    // The command line lives at the time of this machine.
    const clock = new TestClock();
    clock.advance({ seconds: Math.round((Date.now() - clock.now().getTime()) / 1000) });
    const at = await scene(300, clock);
    const { service, tsa, dataDir, id, pdf } = at;
    const settings = {
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: dataDir,
      TSA_URL: tsa.url,
      TSA_TRUST_FILE: tsa.root,
    };
    const line = placeOn(settings);
    expect(await line.fails(2, 'document', 'renew')).toContain('--due');
    expect(await line.json('document', 'renew', '--due')).toEqual({ renewed: 0, kept: 0, failed: 0 });
    await tsa.issue(400);
    const before = await stateOf(at);
    const kill = async (isThere: () => Promise<boolean>) => {
      const env = { PATH: process.env.PATH ?? '', ...settings };
      const child = spawn(bin, ['document', 'renew', id], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await eventually(isThere, (holds) => holds);
      child.kill('SIGKILL');
      await ended;
    };
    tsa.manner = 'silent';
    const { asked } = tsa;
    await kill(async () => tsa.asked > asked);
    tsa.manner = 'good';
    expect(await stateOf(at)).toMatchObject({ file: before.file, versions: 1, audited: 0 });

    // Stored, and waiting for the document's lock.
    const holder = await lockedDocument(service, id);
    await kill(async () => (await one<{ n: number }>(service, 'select count(*)::int as n from stored_files')).n > 0);
    await holder.release();
    expect(await stateOf(at)).toMatchObject({ file: before.file, versions: 1, audited: 0 });
    expect((await at.file()).equals(pdf)).toBe(true);

    const renewed = await line.json('document', 'renew', id);
    expect(renewed).toEqual({ id, stamped_until: expect.any(String), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await stateOf(at)).toMatchObject({ versions: 2, audited: 1 });
    const out = join(line.cwd, 'renewed.pdf');
    await line.json('document', 'download', id, '--out', out);
    expect(await line.json('verify', out)).toMatchObject({ verdict: 'valid' });
    expect(await line.run('document', 'audit', id)).toMatchObject({ code: 0 });
    // Before the time, an operator gets another one of the same authority, too.
    expect(await line.json('document', 'renew', id)).toMatchObject({ id });
    expect(await stateOf(at)).toMatchObject({ versions: 3, audited: 2 });
    const findings = await line.json<Array<{ check: string; ok: boolean }>>('doctor');
    expect(findings.find(({ check }) => check === 'seal renewal')).toMatchObject({
      ok: true,
      detail: 'no time-stamp ends soon',
    });
  },
);

/** Locks a document from another connection. */
async function lockedDocument(service: TestService, id: string): Promise<{ release(): Promise<void> }> {
  const holder = new pg.Client(service.databaseUrl);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from documents where id = $1 for update', [id]);
  return {
    async release() {
      await holder.query('rollback');
      await holder.end();
    },
  };
}

test.runIf(hasTools)(
  'a time-stamp of an unknown authority changes nothing, and a change between two time-stamps is named',
  async () => {
    const at = await scene(300);
    const { service, tsa, pdf, clock } = at;
    const unknown = await startShortLivedTsa(clock, 4000);
    const known = (await stampPdf(pdf, unknown.url)).file;
    const unverified = 'document_time_stamp_unverified';
    const expected = ['valid', 'time_stamped', stamped, unverified];
    expect(await judged(service, Buffer.from(known))).toEqual(expected);
    // A trusted one over it counts, although it covers one that is not trusted.
    const again = Buffer.from((await stampPdf(known, tsa.url)).file);
    expect(await judged(service, again)).toEqual([...expected, stamped]);

    const drawn = await updated(again, (file) => file.getPage(0)?.drawText('100,000', { x: 100, y: 100 }));
    const hidden = Buffer.from((await stampPdf(drawn, tsa.url)).file);
    expect((await postPdf(service, hidden)).against).toEqual(['update_appended']);
    expect((await judgedElsewhere(at, hidden)).script).toMatch(/^FAIL {2}added: /);
  },
);
