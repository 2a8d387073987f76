/** A service for tests that kill it. It opens a worker, starts a job and waits. */
import { join } from 'node:path';
import { ensureSigningCertificate } from '../../pdf/signatures/signing-certificate.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { systemRandom } from '../../platform/random.ts';
import { createPdfWorker } from '../pdf-worker.ts';
import { endlessInput, sampleInput } from './sample-input.ts';

const [dataDir = '', work] = process.argv.slice(2);
const certificate = await ensureSigningCertificate({
  dataDir,
  password: 'a secret password',
  clock: systemClock,
  random: systemRandom,
});
const worker = createPdfWorker({
  certificate,
  tsaUrl: null,
  processes: 1,
  timeoutMs: 60_000,
  memoryMaxBytes: 2 ** 31,
  log: createLog('silent'),
});
const signingTime = systemClock.now().toISOString();
const files = { source: null, output: join(dataDir, 'sealed.pdf') };
if (work === 'busy') void worker.seal({ ...endlessInput(), signingTime }, files);
else await worker.seal({ ...sampleInput(), signingTime }, files);
process.stdout.write('ready\n');
if (work !== 'leave') setInterval(() => {}, 1000);
