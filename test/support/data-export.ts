import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Visitor } from '../console/visitor.ts';
import { eventually, type TestService } from './service.ts';

const run = promisify(execFile);

/** Asks for a data export as an owner, and waits until it has ended. Returns its id. */
export async function createDataExport(owner: Visitor): Promise<string> {
  const { status, body, text } = await owner.post('/data-exports');
  if (status !== 200) throw new Error(`no data export: ${text}`);
  await eventually(
    async () => (await owner.get('/data-exports')).body.data,
    (rows: Array<{ id: string; status: string }>) =>
      rows.some(({ id, status: state }) => id === body.id && !['pending', 'running'].includes(state)),
  );
  return body.id;
}

export interface Download {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Downloads an archive, or a part of it. */
export async function downloadArchive(
  app: Pick<TestService, 'baseUrl'>,
  owner: Visitor,
  id: string,
  headers: Record<string, string> = {},
): Promise<Download> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const address = `${new URL(app.baseUrl).origin}/console/api/data-exports/${id}/archive`;
  const response = await fetch(address, { headers: { cookie, ...headers } });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Unpacks an archive with the system's own programs, which test it first. `use` gets the directory. */
export async function withUnpacked<Result>(
  archive: Buffer | string,
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'unpacked-'));
  try {
    let path = archive as string;
    if (Buffer.isBuffer(archive)) {
      path = join(directory, 'archive.zip');
      await writeFile(path, archive);
    }
    await run('unzip', ['-tqq', path]);
    await run('python3', ['-c', 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() and 1)', path]);
    const target = join(directory, 'unpacked');
    await run('unzip', ['-qq', path, '-d', target]);
    return await use(target);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
