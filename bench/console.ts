import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { migrateQueue } from '../src/jobs/job-queue.ts';
import { createLog } from '../src/platform/log.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { endChildren, startChild } from './child.ts';

/**
 * `npm run bench`: how long the console takes to paint the effect of a key or a click, in an account of 100,000 documents
 * from one import. The server's time is printed separately. The page's own work is measured as its longest task and its
 * CPU time.
 */
const many = Number(process.env.BENCH_DOCUMENTS ?? 100_000);
const interactionMsMax = 100;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-console-'));
const log = createLog('error');
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
await migrateQueue(embedded.url, log);
const db = openDatabase({ url: embedded.url, connectionsMax: 2, log, timeoutMs: 600_000 });
const env = {
  DATABASE_URL: embedded.url,
  DATA_DIR: join(directory, 'data'),
  PORT: '0',
  ROLE: 'web',
  IP_REQUESTS_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'warn',
};

let browser: Browser | undefined;
try {
  const service = await startChild('bin/countersign', ['serve'], env);
  const origin = `http://127.0.0.1:${service.port}`;
  const accountId = countersign('account', 'create', '--name', 'Bench', '--plan', 'enterprise').id ?? '';
  const importId = await seed(db, accountId);
  browser = await launchBrowser();
  const page = await signIn(browser, origin, accountId);
  await watch(page);

  await page.goto(`${origin}/documents`);
  await page.locator('tbody tr').nth(20).waitFor();
  await measure(page, 'type a search for the newest', 12, () => typeSearch(page, 'Seeded 99987', 'Seeded 99987'));
  await clearSearch(page);
  await measure(page, 'type a search for what is not there', 7, () =>
    typeSearch(page, 'nowhere', 'No matching documents'),
  );
  await clearSearch(page);
  await measure(page, 'filter by status', 3, () => filterBy(page, ['in_review', 'draft', '']));
  await measure(page, 'sort', 4, () => sortBy(page, ['title', 'changed', 'oldest', 'newest']));
  await page.getByRole('button', { name: 'Filters' }).click();
  await measure(page, 'filter by a type without documents', 2, () => filterByType(page, ['w9', '']));
  await measure(page, 'walk along rows', 40, () => pressOften(page, 'j', 40));
  await measure(page, 'select rows and the page', 41, () => selectRows(page, 40));
  await measure(page, 'go on through the list', 20, () => showNext(page, 20));

  await page.goto(`${origin}/imports/${importId}`);
  await page.locator('tbody tr').nth(20).waitFor();
  await measure(page, 'go on through an import', 30, () => goOn(page, 30));
  await measure(page, 'what failed of an import', 1, () => chooseOutcome(page, 'Failed', 'Seeded 1000.pdf'));
} finally {
  await browser?.close();
  await endChildren();
  await db.close();
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

/** Collects what the browser itself measures: from each input to the next paint, and tasks longer than 50 ms. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(`
    window.measured = { inputs: [], tasks: [], answers: [] };
    const observe = (options, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe(options);
    observe({ type: 'event', durationThreshold: 16 }, ({ interactionId, duration }) => {
      if (interactionId > 0) measured.inputs.push(duration);
    });
    observe({ type: 'longtask' }, ({ duration }) => measured.tasks.push(duration));
    observe({ type: 'resource' }, ({ name, responseEnd, requestStart }) => {
      if (name.includes('/console/api/')) measured.answers.push(responseEnd - requestStart);
    });
  `);
}

/** Asks the page as rarely as possible, because answering takes its time too. */
async function measure(page: Page, what: string, times: number, act: () => Promise<void>): Promise<void> {
  await page.evaluate('Object.values(measured).forEach((list) => list.splice(0))');
  const processorMs = await startProcessorTime(page);
  await act();
  await settled(page);
  const eachMs = (await processorMs()) / times;
  const measured = await page.evaluate<Record<'inputs' | 'tasks' | 'answers', number[]>>('measured');
  const longest = (of: number[]) => Math.round(Math.max(0, ...of));
  const [input, task] = [longest(measured.inputs), longest(measured.tasks)];
  console.log(
    `console ${what.padEnd(34)} next paint after ${input < 16 ? '< 16' : input} ms at most ` +
      `(aim ${interactionMsMax}: ${input < interactionMsMax ? 'yes' : 'NO'}), longest task ${task < 50 ? '< 50' : task} ms, ` +
      `processor ${Math.round(eachMs)} ms for each of ${times}, ` +
      `slowest of ${measured.answers.length} answers ${longest(measured.answers)} ms`,
  );
}

/** CPU time of the page's main thread, which is more reliable than a clock on a shared machine. */
async function startProcessorTime(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await readMs();
  return async () => {
    const spent = (await readMs()) - before;
    await devtools.detach();
    return spent;
  };
}

/** Waits until the result is shown and the measurements have arrived. */
async function settled(page: Page): Promise<void> {
  await page.locator('main .opacity-60').waitFor({ state: 'detached' });
  await page.locator('main p', { hasText: /^(Searching|Loading)/ }).waitFor({ state: 'detached' });
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300)))');
}

async function typeSearch(page: Page, words: string, found: string): Promise<void> {
  await page.getByRole('searchbox').pressSequentially(words, { delay: 60 });
  await page.locator('main', { hasText: found }).waitFor({ timeout: 120_000 });
}

async function clearSearch(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('');
  await page.locator('tbody tr').nth(20).waitFor();
}

async function filterBy(page: Page, statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const name = { in_review: /^In review/, draft: /^Draft/ }[status] ?? /^All/;
    await page.getByRole('navigation', { name: 'Documents by status' }).getByRole('link', { name }).click();
    await page.waitForURL((url) => (url.searchParams.get('status') ?? '') === status);
    await settled(page);
  }
}

async function sortBy(page: Page, sorts: string[]): Promise<void> {
  for (const sort of sorts) {
    await page.getByLabel('Sort by').selectOption(sort);
    await page.waitForURL((url) => (url.searchParams.get('sort') ?? 'newest') === sort);
    await settled(page);
  }
}

async function filterByType(page: Page, types: string[]): Promise<void> {
  for (const type of types) {
    await page.getByRole('combobox', { name: 'Type' }).selectOption(type);
    await page.waitForURL((url) => (url.searchParams.get('type') ?? '') === type);
    await settled(page);
  }
}

async function pressOften(page: Page, key: string, times: number): Promise<void> {
  await page.evaluate('document.activeElement.blur()');
  for (let i = 0; i < times; i++) await page.keyboard.press(key, { delay: 20 });
}

async function selectRows(page: Page, times: number): Promise<void> {
  await page.evaluate('document.activeElement.blur()');
  for (let i = 0; i < times; i++) {
    await page.keyboard.press('j', { delay: 20 });
    await page.keyboard.press('x', { delay: 20 });
  }
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByText('50 selected').waitFor();
}

async function showNext(page: Page, times: number): Promise<void> {
  for (let i = 1; i <= times; i++) {
    await page.locator('main nav button', { hasText: 'Next' }).click();
    await page.locator('tbody tr', { hasText: `Seeded ${many - i * 50}` }).waitFor();
  }
}

async function goOn(page: Page, times: number): Promise<void> {
  for (let i = 1; i <= times; i++) {
    await page.locator('main nav button', { hasText: 'Next' }).click();
    await page.locator('main nav p', { hasText: `${(i * 50 + 1).toLocaleString('en')}–` }).waitFor();
  }
}

async function chooseOutcome(page: Page, name: string, first: string): Promise<void> {
  await page.locator('main nav a', { hasText: name }).click();
  await page.locator('tbody tr', { hasText: first }).first().waitFor();
}

async function signIn(visitors: Browser, origin: string, accountId: string): Promise<Page> {
  const member = countersign('user', 'create', '--account', accountId, '--email', 'ada@example.com', '--role', 'owner');
  const token = new URL(member.sign_in_url ?? '').pathname.replace('/sign-in/', '');
  const answer = await fetch(`${origin}/console/api/sign-in/use-link`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const context = await visitors.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const cookies = answer.headers.getSetCookie().map((cookie) => /^([^=]+)=([^;]*)/.exec(cookie) ?? []);
  await context.addCookies(cookies.map(([, name = '', value = '']) => ({ name, value, url: origin })));
  return context.newPage();
}

/** Inserts documents with one recipient each, and the import that brought them. One file in a thousand failed. */
async function seed(database: Database, accountId: string): Promise<string> {
  const id = (n: string) =>
    `(lpad(to_hex(1700000000000 + ${n}), 12, '0') || '70008000' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const importId = '018bcfe5-6800-7000-8000-00000000ffff';
  const run = (text: string, values: unknown[]) => database.query({ name: '', text, values });
  await run(
    `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
       created_at, updated_at, audit_seq, audit_hash)
     select ${id('n')}, $1, 'form', case when n % 10 = 0 then 'in_review' else 'draft' end, 'Seeded ' || n, 'en', 'parallel', 1, '2026-01-01', '2026-01-01', 1, sha256('')
     from generate_series(1, $2::bigint) n`,
    [accountId, many],
  );
  await run(
    `insert into recipients (id, account_id, document_id, position, display_name, email, channel, sign_order, auth_level,
       status)
     select gen_random_uuid(), $1, ${id('n')}, 0, 'Ada', 'ada@example.com', 'email', 1, 'l0_email_link', 'pending'
     from generate_series(1, $2::bigint) n`,
    [accountId, many],
  );
  await run(
    `insert into imports (id, account_id, source, status, unlock_doc, total_files, filed, failed, created_at, finished_at)
     select $3, $1, 'upload', 'finished', false, $2::int, $2::int - $2::int / 1000, $2::int / 1000, '2026-01-01', '2026-01-01'`,
    [accountId, many, importId],
  );
  await run(
    `insert into import_items (id, account_id, import_id, name, status, reason, document_id, bytes, pages, reserved_bytes,
       created_at, finished_at)
     select ${id('n')}, $1, $3, 'Seeded ' || n || '.pdf', case when n % 1000 = 0 then 'failed' else 'filed' end,
       case when n % 1000 = 0 then 'invalid_pdf' end, case when n % 1000 > 0 then ${id('n')} end, 1000,
       case when n % 1000 > 0 then 1 end, 0, '2026-01-01', '2026-01-01'
     from generate_series(1, $2::bigint) n`,
    [accountId, many, importId],
  );
  for (const table of ['documents', 'recipients', 'import_items']) await run(`analyze ${table}`, []);
  return importId;
}

function countersign(...args: string[]): Record<string, string> {
  const printed = execFileSync('bin/countersign', [...args, '--json'], { env: { ...process.env, ...env } });
  return JSON.parse(printed.toString());
}
