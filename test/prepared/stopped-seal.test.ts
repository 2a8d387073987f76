import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startQueue } from '../../src/jobs/job-queue.ts';
import { formFile, text } from '../../src/pdf/pdfium/testing/form-file.ts';
import { openPdf } from '../../src/pdf/reading/open-pdf.ts';
import { changingPage } from '../../src/sealing/testing/prepared-files.ts';
import { requeueUnsealed } from '../../src/signing/seal-document.ts';
import { placeOn } from '../cli/countersign.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { auditOf, openLinkOf, signature } from '../signing/signer.ts';
import { attachPdf, placeOn as placeFields } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { postPdf } from '../verify/sealed.ts';
import { signPrepared } from './sign-prepared.ts';

let app: TestService;
let company: Company;
let written = '';

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  app = await startTestService({ env: { LOG_LEVEL: 'error' } });
  company = await createCompany(app);
});
afterAll(async () => {
  await app.stop();
  vi.restoreAllMocks();
});

const sealSteps = async (id: string) => {
  const trail = await auditOf(app, company, id);
  return trail.filter(({ action }) => action.startsWith('seal')).map(({ actor, action }) => [actor, action]);
};

/** The seal jobs of the document, by their state. */
const jobsFor = async (id: string) => {
  const jobs = await app.db.query<{ state: string }>({
    name: '',
    text: `select state from jobs.job where name = 'seal-document' and data->>'documentId' = $1`,
    values: [id],
  });
  return jobs.map(({ state }) => state);
};

const stopped = (id: string, times: number) =>
  eventually(
    async () => [(await sealSteps(id)).filter(([, action]) => action === 'seal_stopped').length, await jobsFor(id)],
    ([count, jobs]) => count === times && (jobs as string[]).every((state) => state === 'completed'),
  );

test('a stopped seal says so everywhere, is not tried again by itself, and ends embedded', async () => {
  const file = changingPage();
  const { id } = await signPrepared(app, company, file);
  await stopped(id, 1);

  const [line] = written.split('\n').filter((text) => text.includes('seal stopped'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ document_id: id, page: 2 });
  const operator = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const error = 'page 2 of the attached PDF would look different once sealed: check the file, then use document seal';
  expect(await operator.json('document', 'show', id)).toMatchObject({ sealed_at: null, seal_error: error });
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.get(`/documents/${id}`)).body).toMatchObject({ status: 'completed', seal_changed_page: 2 });
  // No later attempt is promised.
  expect((await owner.get(`/documents/${id}/pdf`)).status).toBe(404);
  const download = () => call(app, 'GET', `/documents/${id}/download`, { key: company.key });
  expect((await download()).status).not.toBe(200);
  const grace = await openLinkOf(app, company, id, 'Grace Hopper');
  expect((await grace.page()).text).toContain('The sealed PDF takes longer than usual');

  app.clock.advance({ hours: 1 });
  const queue = await startQueue(app.databaseUrl, app.world.log, false);
  onTestFinished(() => queue.stop());
  expect(await requeueUnsealed(app.world, app.db, queue)).toBe(0);
  const stray = { name: 'seal-document', accountId: company.id, documentId: id } as const;
  await app.db.transaction((tx) => queue.enqueue(tx, [stray]));
  await eventually(
    () => jobsFor(id),
    (jobs) => jobs.length === 2 && jobs.every((state) => state === 'completed'),
  );
  expect(written.match(/seal stopped/g)).toHaveLength(1);

  expect(await operator.json('document', 'seal', id)).toMatchObject({ sealed_at: null, seal_error: null });
  await stopped(id, 2);
  expect(await operator.json('document', 'seal', id, '--embed')).toMatchObject({ seal_error: null });
  const { body } = await eventually(download, ({ status }) => status === 200);
  expect(await sealSteps(id)).toEqual([
    ['service', 'seal_stopped'],
    ['operator', 'seal_retried'],
    ['service', 'seal_stopped'],
    ['operator', 'seal_retried'],
    ['service', 'sealed'],
  ]);
  expect(await operator.fails(1, 'document', 'seal', id)).toBe('the document is sealed');

  const sealed = Buffer.from(await (await fetch(body.url)).arrayBuffer());
  expect((await openPdf(sealed)).attachment('attached.pdf')?.equals(file)).toBe(true);
  const verified = await postPdf(app, sealed);
  expect([verified.body.verdict, verified.against, verified.body.document.file.manner]).toEqual([
    'valid',
    [],
    'enclosed',
  ]);
});

test('a seal that was stopped is made by document seal when nothing changes its pages', async () => {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const id = await createDraft(app, company.key, { title: 'Rates', recipients });
  await attachPdf(app, company, id, formFile({ entries: `${text} /AP << >>` }));
  const [remark] = await placeFields(app, company, id, [{ recipient: 1, type: 'text', y: 172 }]);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  await app.db.query({ name: '', text: 'update documents set seal_changed_page = 1 where id = $1', values: [id] });
  const ada = await openLinkOf(app, company, id, 'Ada Lovelace');
  const signed = await ada.post('sign', { ...signature, fields: { [remark?.id ?? '']: 'Blue door' } });
  expect(signed.body).toMatchObject({ state: 'completed' });

  const operator = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  await operator.json('document', 'seal', id);
  await eventually(
    () => call(app, 'GET', `/documents/${id}/download`, { key: company.key }),
    ({ status }) => status === 200,
  );
  expect((await sealSteps(id)).map(([, action]) => action)).toEqual(['seal_retried', 'sealed']);
});
