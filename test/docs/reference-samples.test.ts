import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountEndpoints } from '../../src/api/account-endpoints.ts';
import { documentEndpoints } from '../../src/api/document-endpoints.ts';
import { type DownloadDeps, downloadEndpoint } from '../../src/api/download-endpoint.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { importEndpoints } from '../../src/api/import-endpoints.ts';
import { operationIdOf } from '../../src/api/openapi/names.ts';
import { clientCallOf, clientSetup } from '../../src/docs/client-sample.ts';
import { curlOf } from '../../src/docs/code-sample.ts';
import type { ImportDeps } from '../../src/imports/import-deps.ts';
import { type Ended, execute } from '../cli/countersign.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type ImportService, startImportService } from '../imports/import-service.ts';
import { type Company, createCompany, createDraft } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { sealedDocument } from '../verify/sealed.ts';

// Only the table of endpoints is read.
const endpoints: Endpoint[] = [
  ...accountEndpoints,
  ...documentEndpoints({ enqueue: async () => {} }),
  downloadEndpoint({} as DownloadDeps),
  ...importEndpoints({} as ImportDeps),
];
const packages = resolve(import.meta.dirname, '../../packages');

let app: ImportService;
let company: Company;
let folder: string;
/** The ids that the examples read from `$ID`. */
let ids: Record<string, () => Promise<string>>;

beforeAll(async () => {
  app = await startImportService();
  company = await createCompany(app);
  folder = mkdtempSync(join(tmpdir(), 'countersign-samples-'));
  const client = pathToFileURL(join(packages, 'client/src/index.ts')).href;
  writeFileSync(
    join(folder, 'resolve.mjs'),
    `import { registerHooks } from 'node:module';
registerHooks({
  resolve: (name, context, next) =>
    name === '@countersign/client' ? { url: '${client}', shortCircuit: true } : next(name, context),
});`,
  );
  const sealed = await sealedDocument(app, company);
  const importId = await anImport();
  ids = {
    getDocument: async () => sealed.id,
    sendDocument: () => createDraft(app, company.key),
    downloadDocument: async () => sealed.id,
    listDocumentRecipients: async () => sealed.id,
    getImport: async () => importId,
    listImportItems: async () => importId,
  };
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function anImport(): Promise<string> {
  const body = JSON.stringify({ source: 'cloud_files', files: [{ url: app.store.share('lease.pdf', aPdf()) }] });
  const headers = { authorization: `Bearer ${company.key}` };
  const response = await fetch(`${app.baseUrl}/imports`, { method: 'POST', headers, body });
  return ((await response.json()) as { id: string }).id;
}

/** Runs a sample. Links of the example lead to the test's file store. */
async function run(endpoint: Endpoint, file: string, args: (code: string) => string[], sample: string): Promise<Ended> {
  const code = sample
    .replace(/https:\/\/www\.dropbox\.com\/[^"']*lease[^"']*/, app.store.share('lease.pdf', aPdf()))
    .replace(/https:\/\/www\.dropbox\.com\/[^"']*photo[^"']*/, app.store.share('photo.jpg', Buffer.from('x')));
  const env = {
    PATH: process.env.PATH ?? '',
    COUNTERSIGN_KEY: company.key,
    ID: (await ids[operationIdOf(endpoint)]?.()) ?? '',
    PYTHONPATH: join(packages, 'client-python'),
  };
  return execute(file, args(code), env, folder);
}

describe.each(endpoints.map((endpoint) => ({ endpoint, name: operationIdOf(endpoint) })))('$name', ({ endpoint }) => {
  test('the curl command answers as the reference says', async () => {
    const command = `${curlOf(endpoint, app.baseUrl).replace('$(uuidgen)', app.world.newId())} -s --fail-with-body`;
    const { code, stdout } = await run(endpoint, 'bash', (text) => ['-c', text], command);
    expect({ code, stdout: code === 0 ? '' : `${stdout}` }).toEqual({ code: 0, stdout: '' });
    expect(Object.keys(JSON.parse(`${stdout}`))).toEqual(
      expect.arrayContaining(Object.keys(endpoint.answer.schema.properties)),
    );
  });

  test('the TypeScript call works', async () => {
    const sample = `${clientSetup('typescript', app.baseUrl)}\n${clientCallOf(endpoint, 'typescript')}\n`;
    const path = join(folder, `${operationIdOf(endpoint)}.ts`);
    const args = (code: string) => {
      writeFileSync(path, code);
      return ['--disable-warning=ExperimentalWarning', '--import', join(folder, 'resolve.mjs'), path];
    };
    expect(await run(endpoint, process.execPath, args, sample)).toMatchObject({ code: 0, stderr: '' });
  });

  test.skipIf(!hasTool('python3'))('the Python call works', async () => {
    const sample = `${clientSetup('python', app.baseUrl)}\n${clientCallOf(endpoint, 'python')}\n`;
    expect(await run(endpoint, 'python3', (code) => ['-c', code], sample)).toMatchObject({ code: 0, stderr: '' });
  });
});
