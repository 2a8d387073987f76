import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { ImportDeps } from './import-deps.ts';

/**
 * Gives one process the right to run an import. The process renews it; if it is killed the lease ends and another may
 * take over. Everything about an import is recorded under its lease, so a stalled process overwrites nothing.
 */
export interface Lease {
  importId: string;
  leaseId: string;
}

const leaseMs = 10_000;
const renewalMs = 3000;

/** Another process has taken the lease and continues the import. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the import is lost');
    this.name = 'LeaseLost';
  }
}

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

/** Takes the lease, or returns null while another process holds it. Also works for a finished import with interrupted items. */
export async function takeLease(world: World, tx: Tx, importId: string): Promise<Lease | null> {
  const now = world.clock.now();
  const lease = { importId, leaseId: world.newId() };
  const taken = await tx.query({
    name: 'take_import_lease',
    text: `update imports set lease_id = $2, leased_until = $3
           where id = $1 and (leased_until is null or leased_until <= $4) returning 1`,
    values: [importId, lease.leaseId, leaseEnd(now), now],
  });
  return taken.length === 0 ? null : lease;
}

/** Locks the import's row, or throws `LeaseLost`. Every transaction that records something about the import calls it. */
export async function assertLeased(tx: Tx, { importId, leaseId }: Lease): Promise<void> {
  const held = await tx.query({
    name: 'lock_leased_import',
    text: 'select 1 from imports where id = $1 and lease_id = $2 for update',
    values: [importId, leaseId],
  });
  if (held.length === 0) throw new LeaseLost();
}

/** Ends the lease, so that another process can take it at once. */
async function endLease(db: Queryable, { importId, leaseId }: Lease): Promise<void> {
  await db.query({
    name: 'end_import_lease',
    text: 'update imports set lease_id = null, leased_until = null where id = $1 and lease_id = $2',
    values: [importId, leaseId],
  });
}

/**
 * Renews the lease while `work` runs, then ends it. The signal given to `work` is aborted when the lease is lost or the
 * process stops. A failed renewal is retried, because the lease lasts longer than the renewal interval.
 */
export function underLease<Result>(
  deps: Pick<ImportDeps, 'world' | 'database' | 'stopping' | 'underWay'>,
  lease: Lease,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const running = holding(deps, lease, work).finally(() => deps.underWay.delete(running));
  deps.underWay.add(running);
  return running;
}

async function holding<Result>(
  { world, database, stopping }: Pick<ImportDeps, 'world' | 'database' | 'stopping'>,
  lease: Lease,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController();
  const renew = async () => {
    const renewed = await database.query({
      name: 'renew_import_lease',
      text: 'update imports set leased_until = $3 where id = $1 and lease_id = $2 returning 1',
      values: [lease.importId, lease.leaseId, leaseEnd(world.clock.now())],
    });
    if (renewed.length === 0) lost.abort(new LeaseLost());
  };
  const timer = setInterval(() => {
    renew().catch((error) => world.log.warn('could not renew the lease of an import', { error }));
  }, renewalMs);
  try {
    return await work(AbortSignal.any([stopping, lost.signal]));
  } finally {
    clearInterval(timer);
    await endLease(database, lease).catch((error) => world.log.warn('could not end the lease of an import', { error }));
  }
}
