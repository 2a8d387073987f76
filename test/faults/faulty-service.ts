import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { freshDatabase } from '../support/postgres.ts';
import { type Answer, eventually, startTestService, type TestService } from '../support/service.ts';

/** A service whose database connections go through the proxy. The test's own connection does not. */
export interface FaultyService extends TestService {
  proxy: FaultProxy;
}

/**
 * Has no worker unless `env` says so, so that a fault hits a statement of the request. `isImpatient`: for tests in which a
 * connection is silent.
 */
export async function startFaultyService(
  env: Record<string, string> = {},
  isImpatient = false,
): Promise<FaultyService> {
  const database = await freshDatabase();
  const proxy = await startFaultProxy(database.url);
  const app = await startTestService({
    databaseUrl: database.url,
    isImpatient,
    env: { DATABASE_URL: proxy.through(database.url), ROLE: 'web', ...env },
  });
  return {
    ...app,
    proxy,
    async stop() {
      await proxy.restore();
      await app.stop();
      await proxy.close();
      await database.drop();
    },
  };
}

/** Runs SQL on the test's own connection. */
export async function execute(app: TestService, text: string, values: unknown[] = []): Promise<void> {
  await app.db.query({ name: '', text, values });
}

/** Makes every write to `table` fail, at once or when its transaction commits. */
export async function failWrites(
  app: TestService,
  table: string,
  when: 'at once' | 'at commit',
): Promise<() => Promise<void>> {
  await execute(
    app,
    `create or replace function fail_write() returns trigger language plpgsql as $$
     begin raise exception 'the disk under % is gone', tg_table_name; end $$`,
  );
  const timing = when === 'at once' ? 'trigger fail before' : 'constraint trigger fail after';
  const deferred = when === 'at once' ? '' : 'deferrable initially deferred';
  await execute(
    app,
    `create ${timing} insert or update on ${table} ${deferred} for each row execute function fail_write()`,
  );
  return () => execute(app, `drop trigger fail on ${table}`);
}

/** Hides a table by renaming it. */
export async function hideTable(app: TestService, table: string): Promise<() => Promise<void>> {
  const [name = '', schema = 'public'] = table.split('.').reverse();
  await execute(app, `alter table ${schema}.${name} rename to hidden_${name}`);
  return () => execute(app, `alter table ${schema}.hidden_${name} rename to ${name}`);
}

/**
 * Repeats a request as the documentation tells clients: after a lost connection, the server may need a moment to roll
 * back, and until then the key is in use.
 */
export async function onceFree(ask: () => Promise<Answer>): Promise<Answer> {
  return eventually(ask, ({ body }) => body?.error?.code !== 'idempotency_in_progress');
}

const writtenTables = [
  'documents',
  'recipients',
  'audit_entries',
  'events',
  'messages',
  'idempotency_records',
  'jobs.job',
];

/** Returns the row counts of all tables that a request can write, and the state of every document. */
export async function written(app: TestService): Promise<unknown> {
  const counts = writtenTables.map((table) => `(select count(*) from ${table}) as "${table}"`);
  const [row] = await app.db.query({
    name: '',
    text: `select ${counts.join(', ')},
             (select array_agg(id || ' ' || status || ' ' || updated_at order by id) from documents) as states`,
    values: [],
  });
  return row;
}
