import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { createEsignVendor } from '../esign/vendor/vendor.ts';
import { makeDirectory } from '../platform/make-directory.ts';
import { createPublicFetch, type HostResolver } from '../public-fetch/public-fetch.ts';
import { createDownloadSlots } from './download-slots.ts';
import type { ImportDeps, ImportLimits } from './import-deps.ts';
import { createInTurn } from './in-turn.ts';
import { createLinkRules } from './sources/store-link.ts';

/** The most concurrent downloads of one process. Each holds a file, a connection and later a PDF process. */
const downloadsMax = 12;
/** The most concurrent downloads of one account, so that its slow files leave room for others. */
const downloadsPerAccountMax = 6;
/** Clients wait for at least 90 s. */
const limitsDefault: ImportLimits = {
  beginMsMax: 2250,
  answerMsMax: 85_000,
  sizesMsMax: 30_000,
  storageMsMax: 45_000,
};
const letGoMs = 1500;
/** Less than the time that requests in flight have when the process stops. */
const answerSoonMs = 3000;
const cleaningMs = 3_600_000;

export type ImportsOutside = Pick<
  ImportDeps,
  'world' | 'database' | 'plans' | 'files' | 'secretBox' | 'pdfReader' | 'unlock' | 'esign'
> & { hostResolver: HostResolver; importLimits?: Partial<ImportLimits> };

/**
 * Opens what imports need in this process. `answerSoon` answers the requests that wait for files within three seconds, before
 * their connections are closed. `stop` interrupts running imports, so that another process can continue them, and waits until
 * they have stopped.
 */
export async function openImports(
  config: Config,
  { hostResolver, importLimits, ...outside }: ImportsOutside,
): Promise<{ deps: ImportDeps; answerSoon(): void; stop(msLeft: number): Promise<void> }> {
  if (config.importsAllowPrivate) {
    outside.world.log.warn('IMPORTS_ALLOW_PRIVATE lets imports reach this network: for development and tests only');
  }
  const incomingDir = join(config.dataDir, 'incoming');
  await makeDirectory(incomingDir, 0o700);
  await removeAbandoned(incomingDir);
  const cleaning = setInterval(() => {
    removeAbandoned(incomingDir).catch((error) => outside.world.log.warn('could not clean up downloads', { error }));
  }, cleaningMs).unref();
  const onFailure = (cause: string) => outside.world.log.warn('imports cannot be fetched from here', { cause });
  const proxy = config.outboundProxyUrl === null ? null : { url: config.outboundProxyUrl, onFailure };
  const publicFetch = createPublicFetch({ resolver: hostResolver, allowPrivate: config.importsAllowPrivate, proxy });
  // The vendor names the address of its envelopes. It may be private only if the vendor's own address is.
  const vendorFetch = createPublicFetch({ resolver: hostResolver, allowPrivate: outside.esign.allowsLocal, proxy });
  const answering = new AbortController();
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  return {
    deps: {
      ...outside,
      publicFetch,
      vendor: createEsignVendor(vendorFetch),
      links: createLinkRules({ hosts: config.cloudFilesHosts, allowPrivate: config.importsAllowPrivate }),
      apiUrl: config.driveApiUrl,
      isCloudEnabled: config.importsCloudEnabled,
      incomingDir,
      slots: createDownloadSlots(downloadsMax, downloadsPerAccountMax),
      inTurn: createInTurn(),
      limits: { ...limitsDefault, ...importLimits },
      answering: answering.signal,
      stopping: stopping.signal,
      underWay,
    },
    answerSoon() {
      setTimeout(() => answering.abort(), answerSoonMs).unref();
    },
    async stop(msLeft) {
      clearInterval(cleaning);
      answering.abort();
      stopping.abort();
      const waited = sleep(Math.min(msLeft, letGoMs), undefined, { ref: false });
      await Promise.race([Promise.allSettled(underWay), waited]);
      publicFetch.close();
      vendorFetch.close();
    },
  };
}

/** Far longer than any download takes. An older file was left by a killed process. */
const abandonedAfterMs = 3 * 3_600_000;

/**
 * Removes incoming files that killed processes left. Uses the machine's own time, because it compares the age of files
 * on its disk.
 */
export async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0, // the file store has just moved it
    );
    if (age > abandonedAfterMs) await rm(path, { force: true });
  }
}
