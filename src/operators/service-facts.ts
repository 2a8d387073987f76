import type { Config } from '../config.ts';
import { type Build, readBuild } from '../platform/build.ts';
import { localDirectoryOf } from '../platform/files.ts';
import type { Queryable } from '../postgres/database.ts';

/** Settings that a service for other people should not have. */
export type ServiceWarning =
  | 'mail_is_local'
  | 'no_public_url'
  | 'self_signed'
  | 'no_time_stamps'
  | 'private_addresses_allowed'
  | 'previous_secret_key';

/** What operators see of the settings. No secrets and no addresses. */
export interface ServiceFacts {
  build: Build;
  has_plans_file: boolean;
  /** Null: the files are in an S3 bucket. */
  files_directory: string | null;
  warnings: readonly ServiceWarning[];
}

/** Reads the facts once, when the process starts. */
export function readServiceFacts(config: Config): ServiceFacts {
  const { webhookAllowPrivate, importsAllowPrivate, ssoAllowPrivate } = config;
  const found: Record<ServiceWarning, boolean> = {
    mail_is_local: config.smtpUrl === null,
    no_public_url: config.publicUrl === null,
    self_signed: config.signingCertificate === null,
    no_time_stamps: config.tsaUrl === null,
    private_addresses_allowed: webhookAllowPrivate || importsAllowPrivate || ssoAllowPrivate,
    previous_secret_key: config.previousSecretKey !== null,
  };
  return {
    build: readBuild(),
    has_plans_file: config.plansFile !== null,
    files_directory: localDirectoryOf(config.filesUrl),
    warnings: (Object.keys(found) as ServiceWarning[]).filter((warning) => found[warning]),
  };
}

export interface DatabaseFacts {
  /** Of the server. */
  version: string;
  migrations: number;
  newest_migration: string;
  connections: number;
  connections_max: number;
}

export async function readDatabaseFacts(db: Queryable): Promise<DatabaseFacts> {
  const [facts] = await db.query<DatabaseFacts>({
    name: 'read_database_facts',
    text: `select current_setting('server_version') as version, current_setting('max_connections')::int as connections_max,
             (select count(*)::int from schema_migrations) as migrations,
             (select name from schema_migrations order by version desc limit 1) as newest_migration,
             (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
    values: [],
  });
  return facts as DatabaseFacts;
}
