import type { CustomHost, CustomHosts } from '../http/custom-host.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { customOrigin } from './domain.ts';

/** How long all processes may need to see a change. */
const freshMs = 2000;

/**
 * Finds the companies of active hosts. All active and broken hosts are read at once, at most every two seconds and only when a request
 * names a host other than that of PUBLIC_URL. Any number of requests with invented hosts costs no more. While the database
 * fails, the last list counts.
 */
export function createServedDomains({
  world: { log },
  db,
  publicUrl,
  monotonicMs = () => performance.now(),
}: {
  world: Pick<World, 'log'>;
  db: Queryable;
  publicUrl: string | null;
  monotonicMs?: () => number;
}): CustomHosts {
  let hosts: ReadonlyMap<string, CustomHost> | null = null;
  let broken: ReadonlySet<string> = new Set();
  let freshUntil = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(url: string): Promise<void> {
    try {
      const rows = await db.query<{ account_id: string; host: string; state: 'active' | 'broken' }>({
        name: 'list_served_domains',
        text: `select d.account_id, d.host, d.state from custom_domains d
               join accounts a on a.id = d.account_id and a.removed_at is null where d.state in ('active', 'broken')`,
        values: [],
      });
      const active = rows.filter(({ state }) => state === 'active');
      hosts = new Map(
        active.map(({ account_id: accountId, host }) => [host, { accountId, host, origin: customOrigin(host, url) }]),
      );
      broken = new Set(rows.filter(({ state }) => state === 'broken').map(({ host }) => host));
    } catch (error) {
      if (hosts === null) throw error;
      log.warn('could not read which hosts of companies are served', { cause: error });
    } finally {
      freshUntil = monotonicMs() + freshMs;
      reading = null;
    }
  }

  async function find(host: string): Promise<CustomHost | null> {
    if (publicUrl === null) return null;
    if (hosts === null || monotonicMs() >= freshUntil) {
      reading ??= read(publicUrl);
      await reading;
    }
    return hosts?.get(host) ?? null;
  }

  return { find, isProven: async (host) => (await find(host)) !== null || broken.has(host) };
}
