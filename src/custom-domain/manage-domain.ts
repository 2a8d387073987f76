import { auditAccount } from '../accounts/account-audit.ts';
import { drawToken } from '../identity/token.ts';
import type { World } from '../platform/world.ts';
import { type Queryable, sqlState, type Tx } from '../postgres/database.ts';
import { type CustomDomain, domainColumns, findDomain, lockDomain } from './domain.ts';

/** Who changes the domain of a company. */
export interface DomainChange {
  accountId: string;
  /** Null: the operator. */
  personId: string | null;
}

/**
 * Claims a host for a company. Any number of companies may. The same host again changes nothing. `other_host`: the company has
 * another one, which it removes first. `not_found`: the company was removed.
 */
export async function setDomain(
  world: World,
  tx: Tx,
  { accountId, personId }: DomainChange,
  host: string,
): Promise<CustomDomain | 'other_host' | 'not_found'> {
  const held = await tx.query({
    name: 'lock_account_for_custom_domain',
    text: 'select from accounts where id = $1 and removed_at is null for update',
    values: [accountId],
  });
  if (held.length === 0) return 'not_found';
  const existing = await findDomain(tx, accountId);
  if (existing !== null) return existing.host === host ? existing : 'other_host';
  const [added] = await tx.query<CustomDomain>({
    name: 'add_custom_domain',
    text: `insert into custom_domains (account_id, host, challenge, state, created_at, next_check_at)
           values ($1, $2, $3, 'waiting', $4, $4) returning ${domainColumns}`,
    values: [accountId, host, drawToken(world.random), world.clock.now()],
  });
  await auditAccount(world, tx, { accountId, personId, action: 'custom_domain_set', detail: { host } });
  return added as CustomDomain;
}

/** Removes the domain, whose host is free then. Links lead to PUBLIC_URL from now on. Null: there is none. */
export async function removeDomain(
  world: World,
  tx: Tx,
  { accountId, personId }: DomainChange,
): Promise<CustomDomain | null> {
  const [removed] = await tx.query<CustomDomain>({
    name: 'remove_custom_domain',
    text: `delete from custom_domains where account_id = $1 returning ${domainColumns}`,
    values: [accountId],
  });
  if (removed === undefined) return null;
  const { host } = removed;
  await auditAccount(world, tx, { accountId, personId, action: 'custom_domain_removed', detail: { host } });
  return removed;
}

const uniqueViolation = '23505';

/**
 * Makes a domain active, under the lock of its row. `next`: when it is checked again, null for one that the operator vouches for.
 * Throws `HostTaken` if another company has the host, and then the transaction can't be used any more.
 */
export async function activateDomain(
  world: World,
  tx: Tx,
  { accountId, personId }: DomainChange,
  by: 'dns' | 'operator',
  next: Date | null,
): Promise<void> {
  const now = world.clock.now();
  try {
    const [active] = await tx.query<{ host: string }>({
      name: 'activate_custom_domain',
      text: `update custom_domains set state = 'active', proven_by = $3, activated_at = $2, problem = null, failing_since = null,
               next_check_at = $4, checked_at = case when $3 = 'dns' then $2 else checked_at end
             where account_id = $1 returning host`,
      values: [accountId, now, by, next],
    });
    if (active === undefined) return;
    const detail = { host: active.host, by };
    await auditAccount(world, tx, { accountId, personId, action: 'custom_domain_activated', detail });
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new HostTaken();
    throw error;
  }
}

export class HostTaken extends Error {
  constructor() {
    super('another company has this host');
    this.name = 'HostTaken';
  }
}

/**
 * Makes a domain active without its records. For operators, who have checked whose `host` is: another host, which the company has
 * claimed since, isn't made active.
 */
export async function vouchForDomain(
  world: World,
  tx: Tx,
  change: DomainChange,
  host: string,
): Promise<CustomDomain | 'other_host' | null> {
  const claimed = await lockDomain(tx, change.accountId);
  if (claimed === null) return null;
  if (claimed.host !== host) return 'other_host';
  await activateDomain(world, tx, change, 'operator', null);
  return findDomain(tx, change.accountId);
}

/** The companies whose domain is broken, for the operator. */
export function listBroken(db: Queryable): Promise<Pick<CustomDomain, 'account_id' | 'host' | 'problem'>[]> {
  return db.query({
    name: 'list_broken_custom_domains',
    text: `select account_id, host, problem from custom_domains where state = 'broken' order by host limit 100`,
    values: [],
  });
}
