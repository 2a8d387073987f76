import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { type Call, createCustomer, isIdle, openBench, plainCall, signDocument } from './document-life.ts';
import { percentile } from './pace.ts';
import { residentMB } from './process-tree.ts';

/**
 * `npm run soak`: half an hour of mixed load at 70 % of what the machine can do. Documents are created, sent, signed, sealed and
 * delivered by e-mail and webhook; documents and lists are read, and files are imported. Prints a line for each minute, and at
 * the end how the last third compares with the first. Fails when a request fails, or when anything is lost. SOAK_MINUTES changes
 * its length.
 */
const minutes = Number(process.env.SOAK_MINUTES ?? 30);
/** Of what the machine can do. */
const share = 0.7;
/** They work without a pause, to find what the machine can do. */
const clients = 8;
/** Every twentieth document brings an import of a file. */
const importEvery = 20;

const bench = await openBench();
const { db, receiver } = bench;

try {
  const store = await startChild(process.execPath, ['bench/large-files.ts'], {});
  const hosts = { IMPORTS_ALLOW_PRIVATE: 'true', CLOUD_FILES_HOSTS: `127.0.0.1:${store.port}` };
  const settings = { ...bench.settings, ...hosts };
  const web = await startChild('bin/countersign', ['serve'], { ...settings, ROLE: 'web' });
  const worker = await startChild('bin/countersign', ['serve'], { ...settings, ROLE: 'worker' });
  const origin = `http://127.0.0.1:${web.port}`;
  const customer = await createCustomer(bench, origin);
  const authorization = { authorization: `Bearer ${customer.key}` };

  let lives = 0;
  const live = async (call: Call) => {
    lives += 1;
    const number = lives;
    const id = await signDocument(bench, customer, call);
    await (await call('get', `${origin}/api/v1/documents/${id}`, { headers: authorization })).text();
    await (await call('list', `${origin}/api/v1/documents`, { headers: authorization })).text();
    if (number % importEvery !== 0) return;
    const files = [{ url: `http://127.0.0.1:${store.port}/s/${number}/20000.pdf` }];
    const body = JSON.stringify({ source: 'cloud_files', files, unlock_doc: false });
    const headers = { ...authorization, 'content-type': 'application/json' };
    await (await call('import', `${origin}/api/v1/imports`, { method: 'POST', headers, body })).text();
  };

  await measureCapacity(10, live); // loads and compiles what the first use needs
  const capacity = await measureCapacity(60, live);
  console.log(`capacity: ${capacity.toFixed(1)} documents a second; the load is ${(capacity * share).toFixed(1)}`);

  const lived = lives;
  const seen: Minute[] = [];
  const failures: string[] = [];
  let current: number[] = [];
  const timed: Call = async (name, url, init) => {
    const startedAt = performance.now();
    const response = await plainCall(name, url, init);
    current.push(performance.now() - startedAt);
    return response;
  };
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let minute = 1; minute <= minutes; minute++) {
    while (performance.now() - startedAt < minute * 60_000) {
      const due = ((performance.now() - startedAt) / 1000) * capacity * share;
      while (lives - lived < due) {
        const one: Promise<void> = live(timed)
          .catch((error) => void failures.push(String(error)))
          .finally(() => underWay.delete(one));
        underWay.add(one);
      }
      await sleep(2);
    }
    const memory = residentMB(web.pid) + residentMB(worker.pid);
    seen.push({ p50: percentile(current, 0.5), p99: percentile(current, 0.99), memory });
    console.log(
      `minute ${minute}: ${current.length} requests, p50 ${seen.at(-1)?.p50} ms, p99 ${seen.at(-1)?.p99} ms;` +
        ` web ${residentMB(web.pid).toFixed(0)} MB, worker ${residentMB(worker.pid).toFixed(0)} MB;` +
        ` ${await countUnsealed()} documents wait for their seal, ${failures.length} failures`,
    );
    current = [];
    receiver.received.length = 0;
  }
  await Promise.all(underWay);
  await untilIdle();
  await report({ seen, failures, lived: lives - failures.length });
} finally {
  await bench.close();
}

interface Minute {
  /** Milliseconds of a request. */
  p50: number;
  p99: number;
  /** Megabytes of web process and worker. */
  memory: number;
}

/** How many documents a second come to their end, with everything that follows from their signature. */
async function measureCapacity(seconds: number, live: (call: Call) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  const client = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      await live(plainCall);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await untilIdle();
  return count / ((performance.now() - startedAt) / 1000);
}

async function untilIdle(): Promise<void> {
  while (!(await isIdle(bench))) await sleep(200);
}

async function countUnsealed(): Promise<number> {
  const rows = await db.query<{ count: number }>({
    name: 'bench_unsealed',
    text: `select count(*)::int4 as count from documents where completed_at is not null and sealed_at is null`,
    values: [],
  });
  return rows[0]?.count ?? 0;
}

async function report(found: { seen: Minute[]; failures: string[]; lived: number }): Promise<void> {
  const { seen, failures, lived } = found;
  const third = Math.max(1, Math.floor(seen.length / 3));
  const compared = (name: keyof Minute) => {
    const values = seen.map((minute) => minute[name]);
    return (percentile(values.slice(-third), 0.5) / percentile(values.slice(0, third), 0.5)).toFixed(2);
  };
  console.log(
    `the last third, of the first: p50 ${compared('p50')}, p99 ${compared('p99')}, memory ${compared('memory')} (aims: about 1)`,
  );
  const [ends] = await db.query<{ sealed: number; undelivered: number }>({
    name: '',
    text: `select
      (select count(*)::int4 from documents where sealed_at is not null) as sealed,
      (select count(*)::int4 from events e where not exists
        (select from webhook_deliveries d where d.event_id = e.id and d.status = 'delivered')) as undelivered`,
    values: [],
  });
  console.log(`${lived} documents lived; ${ends?.sealed} are sealed, ${ends?.undelivered} events undelivered`);
  for (const failure of failures.slice(0, 20)) console.log(`failed: ${failure}`);
  if (failures.length > 0 || ends?.sealed !== lived || ends?.undelivered !== 0) process.exitCode = 1;
}
