import pg from 'pg';
import { createLog } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/postgres/database.ts';

/** Runs `work` while another transaction holds the lock of a document, for which the service waits until its time limit. */
export async function whileLocked<Result>(
  databaseUrl: string,
  documentId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from documents where id = $1 for update', [documentId]);
    return await work();
  } finally {
    await holder.end();
  }
}

/** A database with a time limit for each statement, as the service has. */
export function impatient(databaseUrl: string) {
  return openDatabase({ url: databaseUrl, connectionsMax: 2, timeoutMs: 5000, log: createLog('silent') });
}
