import { auditAccount } from '../accounts/account-audit.ts';
import { drawToken } from '../identity/token.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';
import { isPlausibleEmail } from '../platform/email-address.ts';
import type { World } from '../platform/world.ts';
import { type Database, type Queryable, sqlState, type Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { lockSso } from './connection.ts';

/** An e-mail domain that a company says is its own. It counts once it is proven. */
export interface SsoDomain {
  account_id: string;
  /** In lower case, with A-labels. */
  domain: string;
  challenge: string;
  proven_at: Timestamp | null;
  proven_by: 'dns' | 'operator' | null;
  created_at: Timestamp;
}

const domainsMax = 50;

const columns = 'account_id, domain, challenge, proven_at, proven_by, created_at';
const uniqueViolation = '23505';
const hostName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Returns the canonical form of a typed domain, such as `xn--bcher-kva.example`. Null: it can't be one of e-mail addresses. */
export function readDomain(text: string): string | null {
  const typed = text.trim().replace(/^@/, '');
  if (typed.includes('@') || !isPlausibleEmail(`a@${typed}`)) return null;
  const domain = domainOf(`a@${typed}`);
  const isName = hostName.test(domain) && domain.split('.').every((label) => label.length <= 63);
  // No top-level domain is a number: `10.0.0.1` is an address.
  return isName && domain.length <= 230 && !/\.\d+$/.test(domain) ? domain : null;
}

/** The canonical domain of an e-mail address. */
export function domainOf(email: string): string {
  const canonical = canonicalEmail(email);
  return canonical.slice(canonical.lastIndexOf('@') + 1);
}

/** Where the record of a domain belongs, and its text. */
export function recordOf({ domain, challenge }: Pick<SsoDomain, 'domain' | 'challenge'>) {
  return { name: `_countersign.${domain}`, value: `countersign-domain=${challenge}` };
}

export async function listDomains(db: Queryable, accountId: string): Promise<SsoDomain[]> {
  return db.query<SsoDomain>({
    name: 'list_sso_domains',
    text: `select ${columns} from sso_domains where account_id = $1 order by domain`,
    values: [accountId],
  });
}

export async function findDomain(db: Queryable, accountId: string, domain: string): Promise<SsoDomain | null> {
  const rows = await db.query<SsoDomain>({
    name: 'find_sso_domain',
    text: `select ${columns} from sso_domains where account_id = $1 and domain = $2`,
    values: [accountId, domain],
  });
  return rows[0] ?? null;
}

/** Returns the id of the sign-in link for people of a proven domain. */
export async function findLinkOfDomain(db: Queryable, domain: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>({
    name: 'find_sso_of_domain',
    text: `select c.id from sso_domains d join sso_connections c on c.account_id = d.account_id
             join accounts a on a.id = d.account_id and a.removed_at is null
           where d.domain = $1 and d.proven_at is not null`,
    values: [domain],
  });
  return row?.id ?? null;
}

export async function isProven(db: Queryable, accountId: string, domain: string): Promise<boolean> {
  return (await findDomain(db, accountId, domain))?.proven_at != null;
}

/** Who changes the domains of a company. */
export interface DomainChange {
  accountId: string;
  /** Null: the operator. */
  personId: string | null;
  domain: string;
}

/** Adds a domain, to be proven. Returns it also if it is there already. Null: there are too many, or the company was removed. */
export async function addDomain(world: World, tx: Tx, { accountId, personId, domain }: DomainChange) {
  // A statement of its own: one that locks and counts would count what was there before it waited for the lock.
  if ((await lockSso(tx, accountId)) === false) return null;
  const [added] = await tx.query<SsoDomain>({
    name: 'add_sso_domain',
    text: `insert into sso_domains (account_id, domain, challenge, created_at)
           select $1, $2, $3, $4
           where (select count(*) from sso_domains where account_id = $1) < $5
           on conflict do nothing returning ${columns}`,
    values: [accountId, domain, drawToken(world.random), world.clock.now(), domainsMax],
  });
  if (added === undefined) return findDomain(tx, accountId, domain);
  await auditAccount(world, tx, { accountId, personId, action: 'sso_domain_added', detail: { domain } });
  return added;
}

/**
 * Marks a domain as proven. `taken`: another company has proven it. `challenge`: the record that was found, which a domain that was
 * added again no longer has; null for the operator, who needs none.
 */
export async function proveDomain(
  world: World,
  db: Database,
  { accountId, personId, domain }: DomainChange,
  challenge: string | null,
): Promise<'proven' | 'taken' | 'not_found'> {
  const by = challenge === null ? 'operator' : 'dns';
  try {
    return await db.transaction(async (tx) => {
      const proven = await tx.query({
        name: 'prove_sso_domain',
        text: `update sso_domains set proven_at = $3, proven_by = $4
               where account_id = $1 and domain = $2 and ($5::text is null or challenge = $5) and proven_at is null returning 1`,
        values: [accountId, domain, world.clock.now(), by, challenge],
      });
      if (proven.length === 0) return (await isProven(tx, accountId, domain)) ? 'proven' : 'not_found';
      await auditAccount(world, tx, { accountId, personId, action: 'sso_domain_proven', detail: { domain, by } });
      return 'proven';
    });
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return 'taken';
    throw error;
  }
}

export async function removeDomain(
  world: World,
  tx: Tx,
  { accountId, personId, domain }: DomainChange,
): Promise<boolean> {
  const removed = await tx.query({
    name: 'remove_sso_domain',
    text: 'delete from sso_domains where account_id = $1 and domain = $2 returning 1',
    values: [accountId, domain],
  });
  if (removed.length === 0) return false;
  await auditAccount(world, tx, { accountId, personId, action: 'sso_domain_removed', detail: { domain } });
  return true;
}
