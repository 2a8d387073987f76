import { closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import type { Cluster } from './embedded-cluster.ts';

/** The kernel's limit is 107 bytes on Linux and 103 on macOS. */
const socketPathBytesMax = 103;

export interface SocketDirectory {
  path: string;
  close(): void;
}

/**
 * The directory of the server's socket, in a form that this process can connect to. The server itself reaches it as its
 * working directory, whatever the length of the path; where that is too long for us, we go through an open handle.
 */
export function openSocketDirectory(cluster: Cluster): SocketDirectory {
  if (Buffer.byteLength(join(cluster.directory, '.s.PGSQL.5432')) <= socketPathBytesMax) {
    return { path: cluster.directory, close: () => {} };
  }
  if (process.platform !== 'linux') {
    throw new OperatorError(`DATA_DIR ${cluster.dataDir} is too long a path for a Unix socket: choose a shorter one`);
  }
  // Of the parent: the directory itself may not have been created yet.
  const handle = openSync(cluster.dataDir, 'r');
  return {
    path: join(`/proc/${process.pid}/fd/${handle}`, basename(cluster.directory)),
    close: () => closeSync(handle),
  };
}
