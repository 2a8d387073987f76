/** Where one database is reached. */
export interface DatabaseAddress {
  /** For transactions and single statements. */
  url: string;
  /** Whether `url` leads through a pooler in transaction mode. See `PoolOptions`. */
  throughPooler: boolean;
  /** For what needs a session of its own: notifications, the job queue, migrations. */
  directUrl: string;
  /** Time limit of each statement of a request or a job, if it isn't the usual one. See `PoolOptions`. */
  timeoutMs?: number;
}

/** A `directUrl` says that there is a pooler. */
export function databaseAddress(url: string, directUrl: string | null): DatabaseAddress {
  return { url, throughPooler: directUrl !== null, directUrl: directUrl ?? url };
}
