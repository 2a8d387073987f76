import { join } from 'node:path';
import { readPlanTable } from '../../accounts/plans.ts';
import type { UploadDeps } from '../../imports/import-deps.ts';
import { createInTurn } from '../../imports/in-turn.ts';
import { createUnlockHook } from '../../imports/unlock-items.ts';
import { createFileStore } from '../../platform/files.ts';
import { makeDirectory } from '../../platform/make-directory.ts';
import type { Session } from '../core/session.ts';

/** Provides the dependencies of an upload for the duration of `use`. */
export async function withUploadDeps<Result>(
  { config, world, db, databaseUrl }: Session,
  use: (deps: UploadDeps) => Promise<Result>,
): Promise<Result> {
  // Loaded on demand: few commands need them.
  const [{ startQueue }, { createPdfReader }] = await Promise.all([
    import('../../jobs/job-queue.ts'),
    import('../../pdf/pdf-reader.ts'),
  ]);
  const incomingDir = join(config.dataDir, 'incoming');
  await makeDirectory(incomingDir, 0o700);
  const queue = await startQueue(databaseUrl, world.log, false);
  const pdfReader = createPdfReader({ log: world.log });
  try {
    return await use({
      world,
      database: db,
      plans: readPlanTable(config.plansFile),
      files: createFileStore(config.filesUrl, config.s3),
      pdfReader,
      unlock: createUnlockHook(world, db, queue),
      incomingDir,
      inTurn: createInTurn(),
      underWay: new Set(),
    });
  } finally {
    await pdfReader.close();
    await queue.stop();
  }
}
