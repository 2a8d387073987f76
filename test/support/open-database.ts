import { createLog } from '../../src/platform/log.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';

/** Opens a database to prepare and read rows in. It waits longer than the service does, because a busy machine is slow. */
export function openTestDatabase(url: string, applicationName = 'countersign'): Database {
  return openDatabase({ url, connectionsMax: 4, timeoutMs: 60_000, log: createLog('silent'), applicationName });
}
