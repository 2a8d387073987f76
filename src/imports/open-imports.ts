import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { createEsignVendor } from '../world/esign-vendor.ts';
import { makeDirectory } from '../world/make-directory.ts';
import { createPublicFetch, type HostResolver } from '../world/public-fetch.ts';
import { createDownloadSlots } from './download-slots.ts';
import type { ImportDeps, ImportLimits } from './import-deps.ts';
import { removeAbandoned } from './remove-abandoned.ts';
import { createLinkRules } from './sources/store-link.ts';

/** Of one process, over all imports: each has a file open, a connection, and later a place before the PDF reader. */
const downloadsMax = 12;
/** Of one account: others come in beside its slow files. */
const downloadsPerAccountMax = 6;
/** Clients wait for at least 90 s. */
const limitsDefault: ImportLimits = { answerMsMax: 85_000, storageMsMax: 45_000 };
const letGoMs = 1500;
const cleaningMs = 3_600_000;

export type ImportsOutside = Pick<
  ImportDeps,
  'world' | 'database' | 'plans' | 'files' | 'secretBox' | 'pdfReader' | 'unlock' | 'esign'
> & { hostResolver: HostResolver; importLimits?: Partial<ImportLimits> };

/**
 * The importing half of a process. `stop` gives up what is under way, so that another process can go on with it, and
 * waits until it has let go.
 */
export async function openImports(
  config: Config,
  { hostResolver, importLimits, ...outside }: ImportsOutside,
): Promise<{ deps: ImportDeps; stop(msLeft: number): Promise<void> }> {
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
  // The vendor tells whose address its envelopes are at: private ones only where its own is.
  const vendorFetch = createPublicFetch({ resolver: hostResolver, allowPrivate: outside.esign.allowsLocal, proxy });
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
      limits: { ...limitsDefault, ...importLimits },
      stopping: stopping.signal,
      underWay,
    },
    async stop(msLeft) {
      clearInterval(cleaning);
      stopping.abort();
      const waited = sleep(Math.min(msLeft, letGoMs), undefined, { ref: false });
      await Promise.race([Promise.allSettled(underWay), waited]);
      publicFetch.close();
      vendorFetch.close();
    },
  };
}
