import { closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import type { Cluster } from './embedded-cluster.ts';

/** The kernel allows 107 bytes on Linux and 103 on macOS. */
const socketPathBytesMax = 103;

export interface SocketDirectory {
  path: string;
  close(): void;
}

/**
 * Opens the directory of the server's socket in a form that this process can connect to. If the path is too long for a
 * socket address, the directory is reached through an open handle. The server uses its working directory.
 */
export function openSocketDirectory(cluster: Cluster): SocketDirectory {
  if (Buffer.byteLength(join(cluster.directory, '.s.PGSQL.5432')) <= socketPathBytesMax) {
    return { path: cluster.directory, close: () => {} };
  }
  if (process.platform !== 'linux') {
    throw new OperatorError(`DATA_DIR ${cluster.dataDir} is too long for a Unix socket: choose a shorter path`);
  }
  // The handle is for the parent, because the directory may not exist yet.
  const handle = openSync(cluster.dataDir, 'r');
  return {
    path: join(`/proc/${process.pid}/fd/${handle}`, basename(cluster.directory)),
    close: () => closeSync(handle),
  };
}
