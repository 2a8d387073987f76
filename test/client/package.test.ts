import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** Uses the package as its README does, with no types but those of web APIs. */
const consumer = `
import { Countersign, ValidationError, verifyWebhook, type Document } from '@countersign/client';

const client = new Countersign({ baseUrl: 'https://sign.example.com/api/v1', apiKey: 'svc_test_x' });
export async function titles(): Promise<string[]> {
  const titles: string[] = [];
  for await (const { title, status } of client.documents.list({ status: 'completed' })) if (status === 'completed') titles.push(title);
  return titles;
}
export const create = (): Promise<Document> =>
  client.documents.create({ title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
// @ts-expect-error: a document needs recipients
export const wrong = () => client.documents.create({ title: 'Lease' });
// @ts-expect-error: no such status
client.documents.list({ status: 'lost' });
export const receive = async (request: Request) => (await verifyWebhook(await request.text(), request.headers.get('x-service-signature'), 'whsec_x')).event;
export const isInvalid = (error: unknown): string | null => (error instanceof ValidationError ? error.param : null);
`;

test('the built package has no dependency, and works with its own types and in plain JavaScript', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    // Outside this project, so that its installed types are not used.
    const run = (...command: string[]) => runIn(folder, ...command);
    const installed = join(folder, 'node_modules/@countersign/client');
    mkdirSync(join(folder, 'node_modules/@countersign'), { recursive: true });
    run(tsc, '-p', join(root, 'packages/client/tsconfig.build.json'), '--outDir', join(folder, 'built/dist'));
    const manifest = readFileSync(join(root, 'packages/client/package.json'), 'utf8');
    writeFileSync(join(folder, 'built/package.json'), manifest);
    symlinkSync(join(folder, 'built'), installed);
    expect(Object.keys(JSON.parse(manifest)).filter((name) => /dependencies/i.test(name))).toEqual([]);

    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'consumer.ts'), consumer);
    const strict = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ];
    run(tsc, ...strict, '--lib', 'es2022,webworker', '--skipLibCheck', join(folder, 'consumer.ts'));

    writeFileSync(
      join(folder, 'use.js'),
      `import * as client from '@countersign/client'; console.log(Object.keys(client).join());`,
    );
    const exported = run(join(folder, 'use.js')).trim().split(',');
    expect(exported).toEqual(expect.arrayContaining(['Countersign', 'ApiError', 'verifyWebhook']));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function runIn(cwd: string, ...command: string[]): string {
  try {
    return execFileSync(process.execPath, command, { cwd, encoding: 'utf8' });
  } catch (error) {
    throw new Error(`${command.join(' ')}\n${(error as { stdout: string }).stdout}`, { cause: error });
  }
}
