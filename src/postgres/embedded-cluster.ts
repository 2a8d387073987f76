import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { access, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { makeDirectory } from '../world/make-directory.ts';
import { type Binaries, findBinaries } from './embedded-binaries.ts';
import { explainUserError, reasonIn, runProgram, type ServerUser, serverUser } from './embedded-process.ts';
import { createDirectoryWhole } from './embedded-staging.ts';

/** The files and programs of one embedded PostgreSQL. */
export interface Cluster {
  dataDir: string;
  /** `DATA_DIR/postgres`: the data directory, which also holds the server's socket. */
  directory: string;
  logFile: string;
  binaries: Binaries;
  /** Null: it runs as ourselves. */
  user: ServerUser | null;
}

/**
 * Finds what is needed to run the cluster in `dataDir`, without creating or starting it. Throws an `OperatorError` for
 * one that this user or this version cannot run.
 */
export async function locateCluster(dataDir: string): Promise<Cluster> {
  const directory = join(dataDir, 'postgres');
  // Keys and certificates live here too.
  await makeDirectory(dataDir, 0o700);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const user = serverUser([directory, dataDir]);
  const binaries = await findBinaries(user, dataDir);
  const cluster = { dataDir, directory, logFile: join(dataDir, 'postgres.log'), binaries, user };
  if (existsSync(directory)) assertRunnable(cluster);
  return cluster;
}

/** Creates the cluster unless it exists. Returns whether it had to be created, and was by us. */
export function ensureCluster(cluster: Cluster): Promise<boolean> {
  return createDirectoryWhole(cluster.directory, 0o700, (stage) => initialise(cluster, stage));
}

async function initialise(cluster: Cluster, stage: string): Promise<void> {
  const { user } = cluster;
  if (user !== null) {
    await chown(stage, user.uid, user.gid).catch((error) => {
      throw explainUserError(error, user) ?? error;
    });
  }
  const { code, output } = await runProgram(
    cluster.binaries.initdb,
    [
      `--pgdata=${dataDirectoryFor(user, stage)}`,
      '--username=postgres',
      // Whoever may enter the data directory, which holds the socket, is the service's user or root.
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
    ],
    stage,
    user,
  );
  if (code !== 0) throw explainInitdb(cluster, output);
}

/** PostgreSQL asks the system for its user's name, which a container may start without. */
function explainInitdb({ directory, user }: Cluster, output: string): OperatorError {
  if (output.includes('could not look up effective user ID')) {
    const uid = user?.uid ?? process.getuid?.();
    return new OperatorError(
      `the embedded PostgreSQL needs a name for user ${uid}, which /etc/passwd lacks: add a line for it, start as another user, or set DATABASE_URL`,
    );
  }
  return new OperatorError(`the database in ${directory} was not created: ${reasonIn(output)}`);
}

/**
 * How a PostgreSQL program whose working directory is `directory` is told to work there. Another user may be unable to
 * walk the path (a clone under /root); Linux lets it stay in a directory it was started in.
 */
export function dataDirectoryFor(user: ServerUser | null, directory: string): string {
  return user === null ? directory : '/proc/self/cwd';
}

function assertRunnable(cluster: Cluster): void {
  const { directory, binaries, user } = cluster;
  const runsAs = user?.uid ?? process.getuid?.();
  const owner = statSync(directory).uid;
  if (owner !== runsAs) {
    throw new OperatorError(
      `${directory} belongs to user ${owner}, but the database would run as user ${runsAs}: start as its owner, or chown -R it`,
    );
  }
  const version = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (version !== String(binaries.major)) {
    throw new OperatorError(
      `${directory} was made by PostgreSQL ${version}, this version of Countersign brings ${binaries.major}: make a backup with the version that made it and restore that here`,
    );
  }
}
