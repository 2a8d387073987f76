import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DriveDouble, startDriveDouble } from '../../../test/imports/drive-double.ts';
import { systemClock } from '../../platform/clock.ts';
import { createHostResolver, createPublicFetch } from '../../public-fetch/public-fetch.ts';
import { openDrive } from './cloud-drive.ts';

let drive: DriveDouble;
const publicFetch = createPublicFetch({ resolver: createHostResolver({ timeoutMs: 30_000 }), allowPrivate: true });

beforeAll(async () => {
  drive = await startDriveDouble();
});
afterAll(async () => {
  publicFetch.close();
  await drive.stop();
});

test('one limit on the time holds for all files together: those beyond it are not even asked for', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => drive.add(`silent-${index}`, { looks: () => true }));
  const deps = { clock: systemClock, publicFetch, apiUrl: `${drive.url}/drive/v3`, describeMs: 2000 };
  const described = openDrive(deps, 'good-token').describe(ids, new AbortController().signal);
  await expect(described).rejects.toMatchObject({ code: 'drive_unavailable' });
  expect(drive.requests.length).toBeGreaterThan(0);
  expect(drive.requests.length).toBeLessThan(ids.length);
});
