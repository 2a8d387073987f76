import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { access, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { makeDirectory } from '../platform/make-directory.ts';
import { type Binaries, findBinaries } from './embedded-binaries.ts';
import { explainUserError, reasonIn, runProgram, type ServerUser, serverUser } from './embedded-process.ts';
import { createDirectoryAtomically } from './embedded-staging.ts';

/** Files and programs of one embedded PostgreSQL. */
export interface Cluster {
  dataDir: string;
  /** `DATA_DIR/postgres`, the data directory. It also holds the server's socket. */
  directory: string;
  logFile: string;
  binaries: Binaries;
  /** User that the server runs as. Null: the current user. */
  user: ServerUser | null;
}

/**
 * Locates the cluster in `dataDir` without creating or starting it. Throws an `OperatorError` if this user or this
 * version cannot run it.
 */
export async function locateCluster(dataDir: string): Promise<Cluster> {
  const directory = join(dataDir, 'postgres');
  // Keys and certificates are stored here too.
  await makeDirectory(dataDir, 0o700);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const user = serverUser([directory, dataDir]);
  const binaries = await findBinaries(user, dataDir);
  const cluster = { dataDir, directory, logFile: join(dataDir, 'postgres.log'), binaries, user };
  if (existsSync(directory)) assertRunnable(cluster);
  return cluster;
}

/** Creates the cluster if it doesn't exist. Returns whether this call created it. */
export function ensureCluster(cluster: Cluster): Promise<boolean> {
  return createDirectoryAtomically(cluster.directory, 0o700, (stage) => initialise(cluster, stage));
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
      // Only the service's user and root may enter the data directory, which holds the socket.
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

/** Explains why initdb failed. PostgreSQL needs its user's name, which a container may lack. */
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
 * Returns the data directory argument for a PostgreSQL program whose working directory is `directory`. Another user may
 * be unable to walk the path, for example under /root, but may stay in a directory it was started in.
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
      `${directory} was made by PostgreSQL ${version}, this version of Countersign includes ${binaries.major}: make a backup with the old version of Countersign and restore it with this one`,
    );
  }
}
