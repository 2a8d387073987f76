import type { IncomingHttpHeaders } from 'node:http';

/** Whose fault it is that the proxy opened no connection. */
export type Fault = 'target' | 'proxy';

/** Decides whether a refusal of the proxy is about one target, or about all of them. */
export interface ProxyJudge {
  /** Call it whenever a connection through the proxy works. */
  reached(): void;
  /** `status` is null when the proxy ended the connection without an answer. */
  refused(host: string, status: number | null, headers: IncomingHttpHeaders): Fault;
}

/** Statuses that are never about a target: the credentials, the method, or the proxy's own limits. */
const aboutUs = new Set([401, 405, 407, 429, 501]);
/** When this many hosts are refused one after the other, and none is reached, the proxy is at fault. */
const refusedHostsMin = 5;
/** Refusals count against the targets again after this time. Otherwise five dead hosts would be retried for ever. */
const blameMsMax = 3_600_000;

/**
 * Counts the hosts that were refused since one was reached. A proxy answers 502, 503 or 504 for a dead target and 403 for
 * one that its policy forbids, but it gives the same answers when it reaches nobody or does not allow this machine.
 */
export function createProxyJudge(monotonicMs: () => number = () => performance.now()): ProxyJudge {
  const refusedHosts = new Set<string>();
  let blamedSince: number | null = null;

  return {
    reached() {
      refusedHosts.clear();
      blamedSince = null;
    },
    refused(host, status, headers) {
      if (status !== null && isAboutUs(status, headers)) return 'proxy';
      if (refusedHosts.size < refusedHostsMin) refusedHosts.add(host);
      if (refusedHosts.size < refusedHostsMin) return 'target';
      blamedSince ??= monotonicMs();
      return monotonicMs() - blamedSince < blameMsMax ? 'proxy' : 'target';
    },
  };
}

/** Smokescreen answers 407 for a target that its policy forbids, and names the reason in a header of its own. */
export function isPolicyRefusal(status: number | null, headers: IncomingHttpHeaders): boolean {
  const isSmokescreen = headers['x-smokescreen-error'] !== undefined && headers['proxy-authenticate'] === undefined;
  return status === 403 || (status === 407 && isSmokescreen);
}

function isAboutUs(status: number, headers: IncomingHttpHeaders): boolean {
  return status < 400 || (aboutUs.has(status) && !isPolicyRefusal(status, headers));
}
