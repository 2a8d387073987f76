import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { sampleFile } from '../src/sealing/testing/sample-files.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { type Child, endChildren, startChild } from './child.ts';

/**
 * `npm run bench`: how long a signer on a phone waits until the page can be used, that is, until it is painted and its
 * script has run. The browser has a connection of 1.6 Mbit/s with a round trip of 150 ms, and a quarter of a core's speed.
 * The floor is a page of one sentence with an empty style sheet and an empty script.
 */
const rounds = 7;
/** Highest ratio to the floor. */
const ratioMax = 3;
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

const floorPage = `<!doctype html><html lang="en"><title>Lease</title><link rel="stylesheet" href="/style.css">
<script src="/script.js" defer></script><p>Please sign the lease.</p>`;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-page-'));
const env = { DATA_DIR: join(directory, 'data'), PORT: '0', LOG_LEVEL: 'error', IP_REQUESTS_PER_MINUTE: '1000000' };

let browser: Browser | undefined;
const floor = createServer(answerFloor).listen(0, '127.0.0.1');
try {
  const service = await startChild('bin/countersign', ['serve'], env);
  const account = countersign('account', 'create', '--name', 'Bench', '--plan', 'team').id ?? '';
  const key = countersign('key', 'create', '--account', account, '--mode', 'test', '--scopes', 'all').key ?? '';
  browser = await launchBrowser();
  await measure('without a file', browser, await sentDocument(service, key, 0));
  await measure('a file of 2 pages', browser, await sentDocument(service, key, 2));
  await measure('a file of 80 pages', browser, await sentDocument(service, key, 80));
} finally {
  await browser?.close();
  floor.close();
  await endChildren();
  rmSync(directory, { recursive: true, force: true });
}

async function measure(what: string, phones: Browser, link: string): Promise<void> {
  const { port } = floor.address() as AddressInfo;
  const [waits, floors]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    floors.push(await usableAfterMs(phones, `http://127.0.0.1:${port}/`));
    waits.push(await usableAfterMs(phones, link));
  }
  const ratio = middleOf(waits) / middleOf(floors);
  console.log(
    `signing page ${what.padEnd(20)} usable after ${ratio.toFixed(2)} times the floor (at most ${ratioMax}: ` +
      `${ratio <= ratioMax ? 'yes' : 'NO'}), ${middleOf(waits)} ms of ${middleOf(floors)} ms`,
  );
}

function middleOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function answerFloor({ url }: IncomingMessage, response: ServerResponse): void {
  if (url === '/style.css') response.setHeader('content-type', 'text/css').end();
  else if (url === '/script.js') response.setHeader('content-type', 'text/javascript').end();
  else response.setHeader('content-type', 'text/html').end(floorPage);
}

/** Opens the page in a fresh profile, with nothing cached. */
async function usableAfterMs(phones: Browser, link: string): Promise<number> {
  const context = await phones.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', line);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(link, { waitUntil: 'domcontentloaded' });
    const painted = `new Promise((resolve) => new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName('first-contentful-paint');
      if (paint) resolve(paint.startTime);
    }).observe({ type: 'paint', buffered: true }))`;
    const scriptRan = `performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd`;
    return Math.round(await page.evaluate(`Promise.all([${painted}, ${scriptRan}]).then((all) => Math.max(...all))`));
  } finally {
    await context.close();
  }
}

/** Returns the link of a document with one signer. */
async function sentDocument(service: Child, key: string, pages: number): Promise<string> {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const { id } = await post(service, key, '/documents', { title: 'Lease of the house', recipients });
  if (pages > 0) {
    const [file, fields] = [join(directory, 'lease.pdf'), join(directory, 'fields.json')];
    writeFileSync(file, await sampleFile(pages));
    countersign('document', 'attach', id, file);
    const signature = { recipient: 1, type: 'signature', page: pages, x: 100, y: 600, width: 200, height: 50 };
    writeFileSync(fields, JSON.stringify([signature]));
    countersign('document', 'fields', id, '--file', fields);
  }
  await post(service, key, `/documents/${id}/send`, {});
  const [{ url }] = countersign<[{ url: string }]>('document', 'links', id);
  return `http://127.0.0.1:${service.port}${new URL(url).pathname}`;
}

async function post(service: Child, key: string, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: string };
}

function countersign<Printed = Record<string, string>>(...args: string[]): Printed {
  const printed = execFileSync('bin/countersign', [...args, '--json'], { env: { ...process.env, ...env } });
  return JSON.parse(printed.toString());
}
