import { expect, test } from 'vitest';
import { startQueue } from '../../src/jobs/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { freePort } from '../support/free-port.ts';

test('a queue that can’t reach the database fails as the database does, so that commands say to try again', async () => {
  const url = `postgresql://postgres@127.0.0.1:${await freePort()}/none`;
  await expect(startQueue(url, createLog('silent'), false)).rejects.toMatchObject({ name: 'DatabaseFailure' });
});
