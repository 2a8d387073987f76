import type { Queryable } from '../postgres/database.ts';
import { customOrigin, findDomain } from './domain.ts';

/** Returns the origin of links to pages for a company's recipients: its own host while that is active, else `origin`. */
export async function linkOrigin(
  db: Queryable,
  accountId: string,
  { origin, publicUrl }: { origin: string; publicUrl: string | null },
): Promise<string> {
  if (publicUrl === null) return origin;
  const domain = await findDomain(db, accountId);
  return domain?.state === 'active' ? customOrigin(domain.host, publicUrl) : origin;
}

/**
 * Returns the origin of one recipient's signing link: PUBLIC_URL for a recipient who has to sign in, because sessions and passkeys
 * belong to that host.
 */
export function signingOrigin({ auth_level }: { auth_level: string }, company: string, ours: string): string {
  return auth_level === 'l0_account_session' ? ours : company;
}
