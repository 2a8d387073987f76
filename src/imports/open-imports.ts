import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { createPublicFetch, type HostResolver } from '../world/public-fetch.ts';
import { createDownloadSlots } from './download-slots.ts';
import type { ImportMeans } from './import-means.ts';
import { createLinkRules } from './sources/store-link.ts';

/** Of one process, over all imports: each has a file open, a connection, and later a place before the PDF reader. */
const downloadsMax = 12;
const letGoMs = 1500;
/** Far longer than any file takes to come in: what is older was left by a process that was killed. */
const abandonedAfterMs = 3 * 3_600_000;

export type ImportsOutside = Pick<
  ImportMeans,
  'world' | 'database' | 'plans' | 'files' | 'secretBox' | 'pdfReader' | 'unlock'
> & { hostResolver: HostResolver };

/**
 * The importing half of a process. `stop` gives up what is under way, so that another process can go on with it, and
 * waits until it has let go.
 */
export async function openImports(
  config: Config,
  { hostResolver, ...outside }: ImportsOutside,
): Promise<{ means: ImportMeans; stop(msLeft: number): Promise<void> }> {
  if (config.importsAllowPrivate) {
    outside.world.log.warn('IMPORTS_ALLOW_PRIVATE lets imports reach this network: for development and tests only');
  }
  const incomingDir = join(config.dataDir, 'incoming');
  await mkdir(incomingDir, { recursive: true, mode: 0o700 });
  await removeAbandoned(incomingDir);
  const publicFetch = createPublicFetch({ resolver: hostResolver, allowPrivate: config.importsAllowPrivate });
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  return {
    means: {
      ...outside,
      publicFetch,
      links: createLinkRules({ hosts: config.cloudFilesHosts, allowPrivate: config.importsAllowPrivate }),
      apiUrl: config.driveApiUrl,
      isCloudEnabled: config.importsCloudEnabled,
      incomingDir,
      slots: createDownloadSlots(downloadsMax),
      stopping: stopping.signal,
      underWay,
    },
    async stop(msLeft) {
      stopping.abort();
      const waited = sleep(Math.min(msLeft, letGoMs), undefined, { ref: false });
      await Promise.race([Promise.allSettled(underWay), waited]);
      publicFetch.close();
    },
  };
}

/** By the machine's own time: it is the age of files on its disk. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0, // just taken by the file store
    );
    if (age > abandonedAfterMs) await rm(path, { force: true });
  }
}
