import { setTimeout as sleep } from 'node:timers/promises';
import type { Import } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import { type Lease, LeaseLost, leaseEnd, underLease } from './lease.ts';
import { listOpenItems } from './open-items.ts';
import { importColumns } from './queries.ts';
import { runItems } from './run-items.ts';
import { failItem } from './settle-item.ts';
import { fileSourceOf } from './sources/sources.ts';

const importsAtOnce = 4;
const pollMs = 2000;

/**
 * Takes over imports whose process has died, and returns how many. A file store's items continue. A drive's items end as
 * `interrupted`, because their token was only in the dead process; so do uploads that a browser stopped sending. Several
 * run at once, so a long one delays no other. One that can't be resumed isn't tried again before the next call.
 */
export async function resumeImports(deps: ImportDeps): Promise<number> {
  const taken: string[] = [];
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];

  function start(abandoned: Abandoned): void {
    taken.push(abandoned.import.id);
    const work = resume(deps, abandoned)
      .catch((error) => void failures.push(error))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  try {
    while (!deps.stopping.aborted) {
      const abandoned = underWay.size < importsAtOnce ? await takeAbandoned(deps, taken) : null;
      if (abandoned !== null) start(abandoned);
      else if (underWay.size === 0) break;
      else await Promise.race([...underWay, sleep(pollMs, undefined, { signal: deps.stopping }).catch(() => {})]);
    }
  } finally {
    await Promise.all(underWay);
  }
  if (failures.length > 0) throw failures[0];
  return taken.length;
}

interface Abandoned {
  import: Import;
  lease: Lease;
}

/** Takes an abandoned import, or returns null. Skips rows that another worker is taking. */
async function takeAbandoned({ world, database }: ImportDeps, taken: readonly string[]): Promise<Abandoned | null> {
  const now = world.clock.now();
  const leaseId = world.newId();
  const [row] = await database.query<Import>({
    name: 'take_abandoned_import',
    text: `update imports set lease_id = $1, leased_until = $2
           where id = (
             select id from imports
             where status = 'running' and source <> 'esign_vendor'
               and (leased_until is null or leased_until <= $3) and id <> all ($4::uuid[])
             order by leased_until nulls first limit 1 for update skip locked
           )
           returning ${importColumns}`,
    values: [leaseId, leaseEnd(now), now, taken],
  });
  return row === undefined ? null : { import: row, lease: { importId: row.id, leaseId } };
}

async function resume(deps: ImportDeps, { import: row, lease }: Abandoned): Promise<void> {
  const { world, database } = deps;
  try {
    await underLease(deps, lease, async (signal) => {
      const open = await listOpenItems(database, row.id, 'open');
      const source = fileSourceOf(row.source);
      if (source?.resume) await runItems(deps, { import: row, lease, signal }, source.resume(deps, open));
      else for (const { id } of open) await failItem(world, database, lease, id, 'interrupted');
    });
  } catch (error) {
    if (deps.stopping.aborted || error instanceof LeaseLost) return;
    world.log.warn('an import could not be resumed and will be tried again', { import_id: row.id, error });
  }
}
