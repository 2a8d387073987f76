import pg from 'pg';
import { createLog } from '../../src/platform/log.ts';
import { attachEmbedded } from '../../src/postgres/embedded.ts';

/**
 * A process that uses the embedded database: `node attach-embedded.ts DATA_DIR server|command [HOLD_MS]`. It writes a row,
 * reports as JSON lines, and releases the database after HOLD_MS, on SIGTERM, or when its standard input ends.
 */
const [dataDir = '', purpose = '', holdMs] = process.argv.slice(2);
const report = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const database = await attachEmbedded({ dataDir, purpose: purpose as 'server' | 'command', log: createLog('info') });
  await writeRow(database.url);
  report({ attached: database.url });
  await untilToldToEnd();
  await database.release();
  report({ released: true });
} catch (error) {
  report({ error: (error as Error).name, message: (error as Error).message });
  process.exitCode = 1;
}

async function writeRow(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Several processes may do this at once, for which `if not exists` alone is not safe.
    await client.query('select pg_advisory_lock(1)');
    await client.query('create table if not exists visits (pid integer not null)');
    await client.query('insert into visits values ($1)', [process.pid]);
  } finally {
    await client.end();
  }
}

async function untilToldToEnd(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    if (holdMs !== undefined) setTimeout(resolve, Number(holdMs));
    else process.stdin.once('end', resolve).resume();
  });
  process.stdin.destroy();
}
