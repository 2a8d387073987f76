import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { bin } from '../cli/countersign.ts';
import { papers } from '../cli/documents.ts';
import { untilGone } from './outcome.ts';

test('kill -9 while a file is attached: what a document refers to is there, and counted', async () => {
  const at = await papers();
  const id = await at.draft();
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: at.dataDir, DATABASE_URL: at.databaseUrl ?? '' };
  const started = performance.now();
  await writeFile(join(at.cwd, '0.pdf'), makePdf({ ballast: 3_000_000 }));
  await at.json('document', 'attach', id, '0.pdf');
  const wholeMs = performance.now() - started;

  for (let round = 1; round <= 8; round += 1) {
    await writeFile(join(at.cwd, `${round}.pdf`), makePdf({ ballast: 3_000_000 + round }));
    const child = spawn(bin, ['document', 'attach', id, `${round}.pdf`], { env, cwd: at.cwd, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await sleep((wholeMs * round) / 8);
    child.kill('SIGKILL');
    await ended;
    await untilGone(at);

    const referred = await at.sql<{ sha256: string }>(`select encode(sha256, 'hex') as sha256 from document_files`);
    expect(referred).toHaveLength(1);
    for (const { sha256 } of referred) {
      expect(existsSync(join(at.dataDir, 'files/sha256', sha256.slice(0, 2), sha256.slice(2)))).toBe(true);
    }
    const miscounted = await at.sql(
      `select from stored_files s where reference_count <> (select count(*) from document_files f where f.sha256 = s.sha256)`,
    );
    expect(miscounted).toEqual([]);
  }
  expect(await at.json('document', 'attach', id, '0.pdf')).toMatchObject({ file: { name: '0.pdf' } });
});
