import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { drawPages, lines } from '../../src/unlock/convert/testing/draw-pages.ts';
import { audited } from '../cli/audited.ts';
import { bin } from '../cli/countersign.ts';
import { type Papers, papers } from '../cli/documents.ts';
import { untilGone } from '../crash/outcome.ts';
import { aPdf } from '../imports/a-pdf.ts';

const page = (title: string) => ({
  texts: [
    { x: 72, y: 80, text: title, size: 20 },
    ...lines(72, 110, ['What is said in here is', 'said on two lines.']),
  ],
});

async function attached(at: Papers, pdf: Buffer): Promise<string> {
  const id = await at.draft();
  writeFileSync(join(at.cwd, 'a.pdf'), pdf);
  await at.json('document', 'attach', id, 'a.pdf');
  return id;
}

/** Returns the balance without the plan's credits. */
const withoutDue = (at: Papers) =>
  at.sql(
    `update accounts set credits_granted = 1000000,
       credits_month = ((extract(year from $1::timestamptz) - 1970) * 12 + extract(month from $1::timestamptz) - 1)::int`,
    new Date(),
  );

const credits = async (at: Papers) => (await at.json<{ credits: number }>('account', 'show', at.accountId)).credits;

test('a document is unlocked when asked for, paid once, and exported in each format', async () => {
  const at = await papers();
  await withoutDue(at);
  const id = await attached(at, drawPages([page('One'), page('Two')]));
  expect(await at.fails(1, 'document', 'download', id, '--format', 'md', '--out', 'a.md')).toMatch(/not unlocked/);
  expect(await at.fails(1, 'document', 'unlock', id)).toMatch(/too few credits/);
  await at.json('account', 'add-credits', at.accountId, '3');
  const unlocked = { id, status: 'unlocked', pages: 2, finished_at: expect.any(String) };
  expect(await at.json('document', 'unlock', id)).toEqual({ ...unlocked, credits: 2 });
  expect(await at.json('document', 'unlock', id)).toEqual({ ...unlocked, credits: 0 });
  expect((await audited(at, at.accountId)).filter((action) => action === 'unlock_asked')).toHaveLength(2);
  expect(await at.json('account', 'show', at.accountId)).toMatchObject({
    credits: 1,
    credit_entries: [
      { amount: -2, balance: 1, reason: 'unlocked a document', document_id: id },
      { amount: 3, balance: 3, document_id: null },
    ],
  });

  await at.json('document', 'download', id, '--format', 'md', '--out', 'a.md');
  const text = 'What is said in here is said on two lines.';
  expect(readFileSync(join(at.cwd, 'a.md'), 'utf8')).toBe(
    `<!-- page 1 -->\n\n# One\n\n${text}\n\n<!-- page 2 -->\n\n# Two\n\n${text}\n\n`,
  );
  const html = await at.run('document', 'download', id, '--format', 'html', '--out', '-');
  expect(html.stdout.toString()).toContain('<title>Lease</title>');
  expect(html.stdout.toString()).toContain('<h1 dir="ltr">Two</h1>');
  const { bytes } = await at.json('document', 'download', id, '--format', 'json', '--out', 'a.json');
  const json = readFileSync(join(at.cwd, 'a.json'));
  expect(bytes).toBe(json.length);
  expect(JSON.parse(json.toString())).toMatchObject({ title: 'Lease', pages: [{ page: 1 }, { page: 2 }] });
  expect(await at.fails(2, 'document', 'download', id, '--format', 'docx', '--out', 'a.docx')).toMatch(/pdf, md/);
});

test('another file is another matter, and the first one again is paid for already', async () => {
  const at = await papers();
  await withoutDue(at);
  await at.json('account', 'add-credits', at.accountId, '10');
  const [first, second] = [drawPages([page('First')]), drawPages([page('Second'), page('Third')])];
  const id = await attached(at, first);
  await at.json('document', 'unlock', id);
  writeFileSync(join(at.cwd, 'b.pdf'), second);
  await at.json('document', 'attach', id, 'b.pdf');
  expect(await at.fails(1, 'document', 'download', id, '--format', 'md', '--out', 'a.md')).toMatch(/not unlocked/);
  expect(await at.json('document', 'unlock', id)).toMatchObject({ pages: 2, credits: 2 });
  await at.json('document', 'attach', id, 'a.pdf');
  expect(await at.json('document', 'unlock', id)).toMatchObject({ pages: 1, credits: 0 });
  expect(await credits(at)).toBe(7);
  const stored = await at.sql<{ sha256: Buffer; reference_count: number }>(
    `select reference_count from stored_files s where reference_count <>
       (select count(*) from document_files f where f.sha256 = s.sha256) +
       (select count(*) from document_unlocks u where u.sha256 = s.sha256)`,
  );
  expect(stored).toEqual([]);
});

test('what cannot be unlocked is refused, and costs nothing', async () => {
  const at = await papers();
  await withoutDue(at);
  await at.json('account', 'add-credits', at.accountId, '10');
  expect(await at.fails(1, 'document', 'unlock', await at.draft())).toMatch(/no file/);
  const blank = await attached(at, drawPages([{ texts: [] }]));
  expect(await at.fails(1, 'document', 'unlock', blank)).toMatch(/no text/);
  expect(await at.fails(1, 'document', 'unlock', 'nothing')).toMatch(/there is no document/);
  const voided = await attached(at, aPdf());
  await at.json('document', 'void', voided, '--reason', 'Signed on paper');
  expect(await at.fails(1, 'document', 'unlock', voided)).toMatch(/is voided/);
  expect(await credits(at)).toBe(10);
});

test('commands that unlock the same document at once are charged once', async () => {
  const at = await papers();
  await withoutDue(at);
  await at.json('account', 'add-credits', at.accountId, '10');
  const id = await attached(at, aPdf({ pages: 3 }));
  const all = await Promise.all([1, 2, 3].map(() => at.json('document', 'unlock', id)));
  expect(all.map(({ status, pages }) => [status, pages])).toEqual(Array(3).fill(['unlocked', 3]));
  expect(all.reduce((sum, { credits: paid }) => sum + (paid as number), 0)).toBe(3);
  expect(await credits(at)).toBe(7);
});

test('kill -9 while it unlocks: it is paid if and only if it is there, and asking again ends it', async () => {
  const at = await papers();
  await withoutDue(at);
  await at.json('account', 'add-credits', at.accountId, '100');
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: at.dataDir, DATABASE_URL: at.databaseUrl ?? '' };
  const first = await attached(at, aPdf({ pages: 2 }));
  const started = performance.now();
  await at.json('document', 'unlock', first);
  const wholeMs = performance.now() - started;
  let paid = 2;
  for (let round = 1; round <= 3; round += 1) {
    const id = await attached(at, aPdf({ pages: 2 }));
    const child = spawn(bin, ['document', 'unlock', id], { env, cwd: at.cwd, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await sleep((wholeMs * 2 * round) / 7);
    child.kill('SIGKILL');
    await ended;
    await untilGone(at);
    const [row] = await at.sql<{ status: string }>('select status from document_unlocks where document_id = $1', id);
    if (row?.status === 'unlocked') paid += 2;
    expect(await credits(at)).toBe(100 - paid);
    const { credits: now } = await at.json<{ credits: number }>('document', 'unlock', id);
    paid += now;
    expect(await credits(at)).toBe(100 - paid);
  }
  expect(paid).toBe(8);
});
