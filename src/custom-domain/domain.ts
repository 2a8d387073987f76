import { isIP } from 'node:net';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

export type DomainState = 'waiting' | 'active' | 'broken';

/**
 * What a check found wrong. `record_missing`: there is no such TXT record. `elsewhere`: the name leads to another server, or to
 * none. `unavailable`: its name servers don't answer. `taken`: another company has it.
 */
export type DomainProblem = 'record_missing' | 'elsewhere' | 'unavailable' | 'taken';

/** The host name of a company's own on which its signing pages are. */
export interface CustomDomain {
  account_id: string;
  /** In lower case, with A-labels. */
  host: string;
  challenge: string;
  state: DomainState;
  proven_by: 'dns' | 'operator' | null;
  created_at: Timestamp;
  activated_at: Timestamp | null;
  checked_at: Timestamp | null;
  problem: DomainProblem | null;
  failing_since: Timestamp | null;
  next_check_at: Timestamp | null;
}

export const domainColumns = `account_id, host, challenge, state, proven_by, created_at, activated_at, checked_at, problem,
  failing_since, next_check_at`;

export async function findDomain(db: Queryable, accountId: string): Promise<CustomDomain | null> {
  const [row] = await db.query<CustomDomain>({
    name: 'find_custom_domain',
    text: `select ${domainColumns} from custom_domains where account_id = $1`,
    values: [accountId],
  });
  return row ?? null;
}

/** Locks the domain against changes and other checks. */
export async function lockDomain(tx: Queryable, accountId: string): Promise<CustomDomain | null> {
  const [row] = await tx.query<CustomDomain>({
    name: 'lock_custom_domain',
    text: `select ${domainColumns} from custom_domains where account_id = $1 for update`,
    values: [accountId],
  });
  return row ?? null;
}

/** One record that the company makes in its DNS. */
export type DnsRecord = {
  type: 'CNAME' | 'A' | 'AAAA' | 'TXT';
  name: string;
  value: string;
};

/** The text of the record that proves whose the host is. Its name may have other records, such as those of single sign-on. */
export function proofOf({ host, challenge }: Pick<CustomDomain, 'host' | 'challenge'>): {
  name: string;
  value: string;
} {
  return { name: `_countersign.${host}`, value: `countersign-host=${challenge}` };
}

/** The records to make. `serviceHost`: the host of PUBLIC_URL. */
export function recordsOf(domain: Pick<CustomDomain, 'host' | 'challenge'>, serviceHost: string): DnsRecord[] {
  const types = { 0: 'CNAME', 4: 'A', 6: 'AAAA' } as const;
  const type = types[isIP(serviceHost) as keyof typeof types];
  return [
    { type, name: domain.host, value: serviceHost },
    { type: 'TXT', ...proofOf(domain) },
  ];
}

/** The host of PUBLIC_URL: a name, or an IP address without brackets. */
export function hostOfService(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The origin of a company's own host: that of PUBLIC_URL with another name. */
export function customOrigin(host: string, publicUrl: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}
