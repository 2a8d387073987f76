import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createFileStore } from '../../src/platform/files.ts';
import { randomBetween } from '../crash/outcome.ts';
import { expectTimeout } from '../support/expect-timeout.ts';
import { type Ground, type ServerProcess, startServer } from '../support/process.ts';
import { type Answer, type Company, createCompany, eventually } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { startDriveDouble } from './drive-double.ts';
import { importIds, importLinks, sourceSettings } from './import-service.ts';
import { startStoreDouble } from './store-double.ts';

const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

/** Expects that every document has its file, every file was charged, counts match the items, and nothing is running. */
export async function expectWhole(ground: Ground): Promise<void> {
  const files = createFileStore(`file:${ground.dataDir}/files`, noS3);
  const rows = await ground.db.query<{ sha256: string; isKnown: boolean }>({
    name: '',
    text: `select encode(f.sha256, 'hex') as sha256, i.sha256 is not null as "isKnown"
           from documents d left join document_files f on f.document_id = d.id
           left join imported_files i on i.document_id = d.id and i.sha256 = f.sha256`,
    values: [],
  });
  for (const { sha256, isKnown } of rows) {
    expect(isKnown).toBe(true);
    expect(await files.has(`sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`)).toBe(true);
  }
  const [sums] = await ground.db.query<{ charged: number; filed: number; open: number; wrong: number }>({
    name: '',
    text: `select (select coalesce(sum(month_bytes), 0)::int from import_usage) as charged,
             (select coalesce(sum(bytes), 0)::int from imported_files) as filed,
             (select count(*)::int from import_items where status in ('queued', 'running')) as open,
             (select count(*)::int from imports m where
                filed <> (select count(*) from import_items i where i.import_id = m.id and i.status = 'filed') or
                failed <> (select count(*) from import_items i where i.import_id = m.id and i.status = 'failed') or
                status <> 'finished') as wrong`,
    values: [],
  });
  expect(sums).toEqual({ charged: sums?.filed, filed: sums?.filed, open: 0, wrong: 0 });
}

const filesPerImport = 6;
const clients = 4;
/** An abandoned import is released after ten seconds, and may be abandoned again. */
const answerMs = 600_000;

/**
 * Clients import from both sources, and repeat each request with a new token until it is answered, while the service is
 * killed and started again. Returns a summary to print.
 */
export async function crashWhileImporting(
  ground: Ground,
  load: { imports: number; crashes: number; upMsMax: number },
): Promise<string> {
  const [drive, store] = await Promise.all([startDriveDouble(), startStoreDouble()]);
  const company = await createCompany(ground);
  const settings = { ...ground.settings, ...sourceSettings(drive, store), PLANS_FILE: plansWithoutLimit(ground) };
  // Two imports name each file, possibly at the same time.
  const papers = Array.from({ length: (load.imports * filesPerImport) / 2 }, () => aPdf({ bytes: 40_000 }));
  let server = await startServer(settings);
  let requests = 0;

  const ask = (number: number): Promise<Answer> => {
    const mine = Array.from(
      { length: filesPerImport },
      (_, index) => (number * filesPerImport + index) % papers.length,
    );
    requests += 1;
    const idempotencyKey = `import-${number}`;
    if (number % 2 === 0)
      return importLinks(
        server,
        company,
        mine.map((paper) => links[paper] as string),
        idempotencyKey,
      );
    const token = `token-${requests}`;
    drive.tokens.add(token);
    return importIds(
      server,
      company,
      mine.map((paper) => `paper-${paper}`),
      { token, idempotencyKey },
    );
  };
  const links = papers.map((bytes, index) => store.share(`${index}.pdf`, bytes));
  papers.forEach((bytes, index) => {
    drive.add(`paper-${index}`, { bytes });
  });

  const waiting = Array.from({ length: load.imports }, (_, number) => number).values();
  let isDone = false;
  const failures: { asked: ServerProcess; text: string }[] = [];
  const client = async () => {
    for (const number of waiting) {
      const answer = await untilAnswered(async () => {
        const asked = server;
        const { status, text, ...more } = await ask(number);
        if (status >= 500) failures.push({ asked, text });
        return { status, text, ...more };
      });
      expectAllFiled(answer);
    }
  };
  let crashes = 0;
  const crash = async () => {
    while (!isDone && crashes < load.crashes) {
      await sleep(randomBetween(100, load.upMsMax));
      server.kill('SIGKILL');
      await server.ended;
      server = await startServer(settings);
      crashes += 1;
    }
  };
  try {
    const working = Promise.all(Array.from({ length: clients }, client)).finally(() => {
      isDone = true;
    });
    await Promise.all([working, crash()]);
    for (const { asked, text } of failures) expectTimeout(asked, text);
    await expectWhole(ground);
    await expectOnce(ground, company, { imports: load.imports, documents: papers.length });
    return `${load.imports} imports in ${requests} requests, ${crashes} crashes`;
  } finally {
    await Promise.all([drive.stop(), store.stop()]);
  }
}

function plansWithoutLimit(ground: Ground): string {
  const file = join(ground.dataDir, 'plans.json');
  const plan = { burst_per_minute: 1_000_000, requests_per_day: 1_000_000, import_files_per_day: 1_000_000 };
  writeFileSync(file, JSON.stringify({ enterprise: plan }));
  return file;
}

/** Repeats the identical request until it is answered, also after a 5xx, as spec.md tells clients. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  return eventually(
    () => ask().catch(() => ({ status: 0 }) as Answer),
    ({ status, text }) => {
      if (status !== 0 && status !== 201 && status !== 409 && status < 500) throw new Error(text);
      return status === 201;
    },
    answerMs,
  );
}

function expectAllFiled({ body, text }: Answer): void {
  expect(body, text).toMatchObject({ status: 'finished', filed: filesPerImport, failed: 0 });
}

async function expectOnce(
  ground: Ground,
  company: Company,
  wanted: { imports: number; documents: number },
): Promise<void> {
  const [found] = await ground.db.query<object>({
    name: '',
    text: `select (select count(*)::int from imports where account_id = $1) as imports,
             (select count(*)::int from documents where account_id = $1) as documents`,
    values: [company.id],
  });
  expect(found).toEqual(wanted);
}
