import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type DriveDouble, startDriveDouble } from './drive-double.ts';
import { importIds, importLinks, sourceSettings } from './import-service.ts';
import { type StoreDouble, startStoreDouble } from './store-double.ts';

let ground: Ground;
let drive: DriveDouble;
let store: StoreDouble;

beforeAll(async () => {
  [ground, drive, store] = await Promise.all([prepareGround(), startDriveDouble(), startStoreDouble()]);
});
afterAll(async () => {
  await endServers();
  await Promise.all([drive.stop(), store.stop()]);
  await ground.clear();
});

const peakMB = (pid: number) =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

// `npm run bench` does the same with 25 files of 150 MB.
test.runIf(existsSync('/proc/self/clear_refs'))(
  'files are never held in memory: 360 MB of them pass in less than 150 MB',
  async () => {
    const server = await startServer({ ...ground.settings, ...sourceSettings(drive, store) });
    const company = await createCompany(ground);
    const small = await importLinks(server, company, [store.share('small.pdf', aPdf())]);
    expect(small.body.filed).toBe(1);
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const before = peakMB(server.pid);

    const large = aPdf({ bytes: 30_000_000 });
    /** A file of the same length with other contents: only the noise after the header differs. */
    const another = () => {
      const bytes = Buffer.from(large);
      randomBytes(64).copy(bytes, 1_000_000);
      return bytes;
    };
    const ids = Array.from({ length: 6 }, (_, index) => drive.add(`large-${index}`, { bytes: another() }));
    const links = Array.from({ length: 6 }, (_, index) => store.share(`${index}.pdf`, another()));
    const answers = await Promise.all([importIds(server, company, ids), importLinks(server, company, links)]);
    expect(answers.map(({ body }) => body.filed)).toEqual([6, 6]);
    expect(peakMB(server.pid) - before).toBeLessThan(150);
  },
);
