import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freshDataDir } from '../support/embedded.ts';
import { freshDatabase } from '../support/postgres.ts';
import { endServers, startServer } from '../support/process.ts';

afterEach(endServers);

test('DATA_DIR is made for its owner alone; a wider one is left and warned about', async () => {
  const database = await freshDatabase();
  const umask = process.umask(0);
  try {
    const dataDir = join(freshDataDir(), 'data');
    const settings = { DATA_DIR: dataDir, DATABASE_URL: database.url };
    const first = await startServer(settings);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(first.stderr() + first.stdout()).not.toContain('chmod 700');
    first.kill('SIGTERM');
    await first.ended;

    chmodSync(dataDir, 0o755);
    const second = await startServer(settings);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    await expect.poll(() => second.stderr() + second.stdout()).toContain('chmod 700');
    second.kill('SIGTERM');
    await second.ended;
  } finally {
    process.umask(umask);
    await database.drop();
  }
});
