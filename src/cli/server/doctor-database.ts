import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { listBroken } from '../../custom-domain/manage-domain.ts';
import { countRenewals } from '../../documents/seal-renewals.ts';
import { fileKey } from '../../documents/stored-files.ts';
import { OperatorError } from '../../errors.ts';
import { createFileStore } from '../../platform/files.ts';
import { openDatabase, type Queryable } from '../../postgres/database.ts';
import { isReadOnly, mayNotCreate } from '../../postgres/explain-refusal.ts';
import { assertOnlyOurs, readForeignTables } from '../../postgres/foreign-tables.ts';
import { explainEditedMigration } from '../../postgres/migrate.ts';
import { readSchemaState } from '../core/require-schema.ts';
import { commandLog, withServer } from '../core/session.ts';
import { checkSecrets } from './doctor-secrets.ts';
import { type Finding, finding } from './finding.ts';

const patienceMs = 5000;
const oldestVersion = 150_000;

/** Checks that the database is reachable, new enough and has the schema of this version. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres'))) {
    return [{ check: 'database', ok: true, detail: 'embedded PostgreSQL, created at the first start' }];
  }
  const findings: Finding[] = [];
  const reachable = await finding('database', () =>
    withServer(config, async (url) => {
      const db = openDatabase({ url, connectionsMax: 1, timeoutMs: patienceMs, log: commandLog(config) });
      try {
        const version = await checkVersion(db);
        findings.push(await finding('schema', () => checkSchema(db)), await finding('job queue', () => checkQueue(db)));
        if ((await readSchemaState(db)) === 'current') {
          findings.push(await finding('secrets', () => checkSecrets(config, db)));
          findings.push(await finding('seal renewal', () => checkRenewals(config, db)));
          findings.push(await finding('stored files', () => checkStoredFiles(config, db)));
          findings.push(await finding('custom domains', () => checkDomains(db)));
        }
        return `${config.databaseUrl === null ? 'embedded' : 'external'} PostgreSQL ${version}`;
      } finally {
        await db.close();
      }
    }),
  );
  return [reachable, ...findings];
}

async function checkVersion(db: Queryable): Promise<string> {
  const [row] = await db.query<{ number: number; version: string }>({
    name: 'server_version',
    text: `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    values: [],
  });
  if (row === undefined || row.number < oldestVersion) {
    throw new OperatorError(`the server is PostgreSQL ${row?.version}: 15 or newer is needed`);
  }
  return row.version;
}

async function checkSchema(db: Queryable): Promise<string> {
  const state = await readSchemaState(db);
  if (state === 'empty') {
    assertOnlyOurs(await db.query(readForeignTables));
    await assertMayCreate(db);
  }
  const edited = state === 'empty' ? null : await explainEditedMigration(await readApplied(db));
  if (edited !== null) throw new OperatorError(edited);
  if (state === 'behind')
    throw new OperatorError('older than this version: run countersign migrate, or start the service');
  if (state === 'ahead')
    throw new OperatorError('newer than this version of Countersign: run the version that created it');
  return state === 'empty' ? 'empty: filled at the first start' : 'up to date';
}

/** Throws when the first start couldn't fill the database. Only the owner may create in `public` since PostgreSQL 15. */
async function assertMayCreate(db: Queryable): Promise<void> {
  const [row] = await db.query<{ read_only: boolean; may_create: boolean | null }>({
    name: 'may_create',
    text: `select current_setting('transaction_read_only')::boolean as read_only,
             has_schema_privilege(current_schema(), 'create')
               and has_database_privilege(current_database(), 'create') as may_create`,
    values: [],
  });
  if (row?.read_only) throw new OperatorError(isReadOnly);
  if (row?.may_create !== true) throw new OperatorError(mayNotCreate);
}

function readApplied(db: Queryable) {
  return db.query<{ version: number; name: string; sha256: string }>({
    name: 'applied_migrations',
    text: 'select version, name, sha256 from schema_migrations',
    values: [],
  });
}

/** Fails when sealed files need a new time-stamp and get none. */
async function checkRenewals({ tsaUrl }: Config, db: Queryable): Promise<string> {
  const { due, failing, ended, unread } = await countRenewals(db, new Date());
  if (tsaUrl === null && due > 0)
    throw new OperatorError(`${due} sealed files need a new time-stamp: set TSA_URL, so that they get one`);
  if (ended > 0)
    throw new OperatorError(`the time-stamp of ${ended} sealed files has ended: run countersign document renew --due`);
  if (failing > 0)
    throw new OperatorError(`${failing} sealed files got no new time-stamp: the log of the workers says why`);
  const work = [
    ...(due > 0 ? [`${due} sealed files are due`] : []),
    ...(unread > 0 ? [`${unread} are not read yet`] : []),
  ];
  return work.length === 0 ? 'no time-stamp ends soon' : work.join(', ');
}

/** Looks for one attached and one sealed file. Another FILES_URL than before has neither. */
async function checkStoredFiles({ filesUrl, s3 }: Config, db: Queryable): Promise<string> {
  const files = createFileStore(filesUrl, s3);
  const keys = await listSomeFiles(db);
  for (const key of keys) {
    if (!(await files.has(key)))
      throw new OperatorError(
        `FILES_URL has no ${key}, which a document needs: set the FILES_URL that has the files, or copy them to the new one`,
      );
  }
  return keys.length === 0 ? 'none yet' : 'found in FILES_URL';
}

async function listSomeFiles(db: Queryable): Promise<string[]> {
  const [row] = await db.query<{ attached: string | null; sealed: string | null }>({
    name: 'some_files',
    text: `select (select encode(sha256, 'hex') from stored_files where reference_count > 0 limit 1) as attached,
             (select sealed_file from documents where sealed_file is not null limit 1) as sealed`,
    values: [],
  });
  const keys = [row?.attached && fileKey(row.attached), row?.sealed];
  return keys.filter((key) => typeof key === 'string');
}

/** Names domains whose proof is gone. That is no fault of the service: their companies have to repair their DNS. */
async function checkDomains(db: Queryable): Promise<string> {
  const broken = await listBroken(db);
  if (broken.length === 0) return 'none is broken';
  const names = broken.map(({ account_id, host, problem }) => `${host} (account ${account_id}, ${problem})`);
  return `links lead to PUBLIC_URL in place of ${names.join(', ')}`;
}

async function checkQueue(db: Queryable): Promise<string> {
  const [row] = await db.query<{ installed: boolean }>({
    name: 'queue_installed',
    text: `select to_regclass('jobs.version') is not null as installed`,
    values: [],
  });
  return row?.installed ? 'installed' : 'installed at the next start';
}
