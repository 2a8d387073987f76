import type { Import } from './import.ts';
import type { ImportMeans } from './import-means.ts';
import { type Lease, LeaseLost, leaseEnd, underLease } from './lease.ts';
import { listOpenItems, storeItems } from './open-items.ts';
import { importColumns } from './queries.ts';
import { runItems } from './run-items.ts';
import { failItem } from './settle-item.ts';

const importsAtOnce = 4;

/**
 * Takes over the imports whose process has died. A store's files are brought in; a drive's, which need the token that
 * died with it, end as `interrupted`. Returns how many were taken over.
 */
export async function resumeImports(means: ImportMeans): Promise<number> {
  let resumed = 0;
  for (;;) {
    const taken = await takeAbandoned(means);
    await Promise.all(taken.map((abandoned) => resume(means, abandoned)));
    resumed += taken.length;
    if (taken.length < importsAtOnce) return resumed;
  }
}

interface Abandoned {
  import: Import;
  lease: Lease;
}

/** Rows that another worker is just taking are skipped. */
async function takeAbandoned({ world, database }: ImportMeans): Promise<Abandoned[]> {
  const now = world.clock.now();
  const leaseId = world.newId();
  const rows = await database.query<Import>({
    name: 'take_abandoned_imports',
    text: `update imports set lease_id = $1, leased_until = $2
           where id in (
             select id from imports
             where status = 'running' and source in ('cloud_drive', 'cloud_files')
               and (leased_until is null or leased_until <= $3)
             order by leased_until nulls first limit $4 for update skip locked
           )
           returning ${importColumns}`,
    values: [leaseId, leaseEnd(now), now, importsAtOnce],
  });
  return rows.map((row) => ({ import: row, lease: { importId: row.id, leaseId } }));
}

async function resume(means: ImportMeans, { import: row, lease }: Abandoned): Promise<void> {
  const { world, database } = means;
  try {
    await underLease(means, lease, async (signal) => {
      const open = await listOpenItems(database, row.id, 'open');
      if (row.source === 'cloud_files') {
        await runItems(means, { import: row, lease, signal }, storeItems(means, open));
        return;
      }
      for (const { id } of open) await failItem(world, database, lease, id, 'interrupted');
    });
  } catch (error) {
    if (means.stopping.aborted || error instanceof LeaseLost) return;
    world.log.warn('an import could not be resumed and will be tried again', { import_id: row.id, error });
  }
}
