import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { TextResolver } from '../public-fetch/public-fetch.ts';
import { type DomainChange, findDomain, proveDomain, recordOf } from './domains.ts';

/** `missing`: there is no such record. `unavailable`: the name servers don't answer. */
export type DomainCheck = 'proven' | 'taken' | 'not_found' | 'missing' | 'unavailable';

/** Looks for the company's TXT record, and marks the domain as proven when it is there. */
export async function checkDomain(
  { world, db, txt }: { world: World; db: Database; txt: TextResolver },
  change: DomainChange,
): Promise<DomainCheck> {
  const claimed = await findDomain(db, change.accountId, change.domain);
  if (claimed === null) return 'not_found';
  if (claimed.proven_at !== null) return 'proven';
  const { name, value } = recordOf(claimed);
  const found = await txt.resolve(name);
  if (found.kind === 'failed') return 'unavailable';
  if (found.kind === 'none' || !found.records.some((record) => record.trim() === value)) return 'missing';
  return proveDomain(world, db, change, claimed.challenge);
}
