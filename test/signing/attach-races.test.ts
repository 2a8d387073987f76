import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAttachment } from '../../src/documents/attachment.ts';
import { contentOf } from '../../src/documents/content.ts';
import type { Document } from '../../src/documents/document.ts';
import { findDocument, listRecipients } from '../../src/documents/queries.ts';
import { fileKey } from '../../src/documents/stored-files.ts';
import { attachPdf, fieldsOf, filesOf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Concurrent attaching, placing and sending: the document always has what was sent. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

async function expectSentAsItIs(id: string): Promise<void> {
  const document = (await findDocument(app.db, id)) as Document;
  const attachment = await readAttachment(app.db, company.id, id);
  const content = contentOf(document, await listRecipients(app.db, company.id, id), attachment);
  expect(document.content_sha256?.toString('hex')).toBe(createHash('sha256').update(content).digest('hex'));
}

const send = (id: string) => call(app, 'POST', `/documents/${id}/send`, { key: company.key });

test('attaching against sending: sent with the file or without, never with another than was digested', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await createDraft(app, company.key);
    const attaching = attachPdf(app, company, id, { pages: [{ text: `Round ${round}` }] }).then(
      () => 'attached',
      (error: Error) => error.message,
    );
    const sending = new Promise((resolve) => setTimeout(resolve, round * 25)).then(() => send(id));
    const [attached, sent] = await Promise.all([attaching, sending]);
    expect(sent.status).toBe(200);
    const isThere = (await readAttachment(app.db, company.id, id)) !== null;
    expect(attached).toBe(isThere ? 'attached' : 'only an unsent document can be changed, this one is sent');
    await expectSentAsItIs(id);
  }
});

test('placing fields against sending: sent with all of them or none', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await createDraft(app, company.key);
    await attachPdf(app, company, id);
    const fields = Array.from({ length: 15 }, () => ({ recipient: 1, type: 'text' }) as const);
    const [placed, sent] = await Promise.allSettled([placeOn(app, company, id, fields), send(id)]);
    expect(sent.status).toBe('fulfilled');
    expect(await fieldsOf(app, company, id)).toHaveLength(placed.status === 'fulfilled' ? 15 : 0);
    await expectSentAsItIs(id);
  }
});

test('two who swap the same two files between two documents neither wait for each other nor lose count', async () => {
  const [one, two] = [await createDraft(app, company.key), await createDraft(app, company.key)];
  const [a, b] = [{ pages: [{ text: 'Swap a' }] }, { pages: [{ text: 'Swap b' }] }];
  const hashes = [await attachPdf(app, company, one, a), await attachPdf(app, company, two, b)];
  for (let round = 0; round < 5; round += 1) {
    const [first, second] = round % 2 === 0 ? [b, a] : [a, b];
    await Promise.all([attachPdf(app, company, one, first), attachPdf(app, company, two, second)]);
  }
  const rows = await app.db.query<{ sha256: string; reference_count: number }>({
    name: 'counts',
    text: `select encode(sha256, 'hex') as sha256, reference_count from stored_files where encode(sha256, 'hex') = any ($1)`,
    values: [hashes],
  });
  expect(rows.map(({ reference_count }) => reference_count)).toEqual([1, 1]);
  for (const { sha256 } of rows) expect(await filesOf(app).has(fileKey(sha256))).toBe(true);
});
