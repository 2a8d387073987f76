import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fileKey, removeUnreferencedFiles } from '../../src/documents/stored-files.ts';
import { placeOn } from '../cli/countersign.ts';
import { attachPdf, filesOf } from '../support/attach.ts';
import { canBackUp, startBackedUpServer } from '../support/backed-up-server.ts';
import { ownConnection } from '../support/own-connection.ts';
import { repository } from '../support/process.ts';
import { call, createCompany, createDraft, startTestService } from '../support/service.ts';
import { type Sealed, sealedDocument } from '../verify/sealed.ts';

const page = readFileSync(join(repository, 'docs/operate/back-up.md'), 'utf8');

/** Returns the blocks below a heading of the page. */
function blocksBelow(heading: string): string[] {
  const section = page.split(/^(?=##)/m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, code = '']) => code);
}

/** The default of RETAIN_REMOVED_FILES_DAYS. */
const removedFilesDays = 7;

const [dump = '', restoreDump = ''] = blocksBelow('## With pg_dump');
const [serverSettings = '', settings = '', backUp = '', copyFiles = ''] = blocksBelow(
  '## To any moment with pgBackRest',
);
const [toCopy = ''] = blocksBelow('### After the files are lost');
const [toMoment = ''] = blocksBelow('### When the files are still there');

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-restore-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Returns how many files a database refers to. Fails when `dataDir` doesn't have one. */
async function filesReferredTo(databaseUrl: string, dataDir: string): Promise<number> {
  await using client = await ownConnection(databaseUrl);
  const { rows } = await client.query<{ key: string }>(
    `select sealed_file as key from documents where sealed_file is not null
     union select 'sha256/' || left(encode(sha256, 'hex'), 2) || '/' || substr(encode(sha256, 'hex'), 3)
     from stored_files where reference_count > 0`,
  );
  expect(rows.filter(({ key }) => !existsSync(join(dataDir, 'files', key)))).toEqual([]);
  return rows.length;
}

test.skipIf(!canBackUp)('the recipes of the documentation restore every file', async () => {
  const server = startBackedUpServer(serverSettings, settings);
  onTestFinished(() => server.stop());
  const [dataDir, databaseUrl] = [temporaryDirectory(), server.databaseUrl('countersign')];
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const start = async () => ({ ...(await startTestService({ databaseUrl, env: { DATA_DIR: dataDir } })), dataDir });
  const here = placeOn(env);

  const app = await start();
  const company = await createCompany(app);
  const early = await sealedDocument(app, company, 'early.example');
  server.run(backUp, env);
  // pgBackRest finds a backup only for a moment of a later second.
  await delay(1_100);
  server.run(copyFiles, env);
  const draft = await createDraft(app, company.key);
  const attached = await attachPdf(app, company, draft);
  const later = await sealedDocument(app, company, 'later.example');
  const moment = new Date().toISOString().replace('T', ' ').replace('Z', '+00');

  // After the moment a file is erased, and another one replaced. Both stay for some days.
  await here.json('recipient', 'erase', '--email', 'ada@early.example', '--files', 'delete', '--confirm');
  await attachPdf(app, company, draft, { pages: [{}, {}] });
  app.clock.advance({ days: 3 });
  await removeUnreferencedFiles(app.world, app.db, filesOf(app), removedFilesDays);
  const unwanted = await createDraft(app, company.key);
  server.run(dump.replaceAll('/backups/data', '/backups/dumped'), env);
  await app.stop();

  server.run(toMoment.replace('2026-03-10 14:30:00+00', moment), env);
  expect(await filesReferredTo(databaseUrl, dataDir)).toBe(3);
  expect(existsSync(join(dataDir, 'files', fileKey(attached)))).toBe(true);
  const restored = await start();
  for (const { id, pdf } of [early, later]) {
    const { body } = await call(restored, 'GET', `/documents/${id}/download`, { key: company.key });
    expect(Buffer.from(await (await fetch(body.url)).arrayBuffer()).equals(pdf)).toBe(true);
    expect(await here.run('document', 'audit', id)).toMatchObject({ code: 0 });
  }
  expect((await call(restored, 'GET', `/documents/${unwanted}`, { key: company.key })).status).toBe(404);
  await restored.stop();

  // The disk is lost. The database is restored to the last copy of the files.
  server.loseData();
  const copy = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryDirectory() };
  server.run(toCopy, copy);
  expect(await filesReferredTo(databaseUrl, copy.DATA_DIR)).toBe(1);
  await expectDownload(copy, early);
  expect(await placeOn(copy).fails(1, 'document', 'show', later.id)).toContain(later.id);

  // The dump, in a new database.
  server.run('createdb restored', {});
  const dumped = { DATABASE_URL: server.databaseUrl('restored'), DATA_DIR: temporaryDirectory() };
  server.run(restoreDump.replaceAll('/backups/data', '/backups/dumped'), dumped);
  expect(await filesReferredTo(dumped.DATABASE_URL, dumped.DATA_DIR)).toBe(2);
  await expectDownload(dumped, later);
});

/** The sealed PDF is there, and it is verified with the certificate in the backup. */
async function expectDownload(settings: Record<string, string>, { id, pdf }: Sealed): Promise<void> {
  const at = placeOn(settings);
  await at.json('document', 'download', id, '--out', 'sealed.pdf');
  expect(readFileSync(join(at.cwd, 'sealed.pdf')).equals(pdf)).toBe(true);
  expect(await at.json('verify', 'sealed.pdf')).toMatchObject({ verdict: 'valid' });
  expect(await at.run('document', 'audit', id)).toMatchObject({ code: 0 });
}
