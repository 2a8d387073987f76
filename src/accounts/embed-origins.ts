import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { auditAccount } from './account-audit.ts';

/** The most sites that a company can have. All of them are in a header of each framed page. */
export const embedOriginsMax = 20;

const textLengthMax = 300;
/** Nothing else may stand in a header: hosts of URLs may contain `;` and `,`. */
const hostFormat = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Reads the origin of a site that may show signing pages in a frame, such as `https://app.example.com`. Plain http is for
 * development on this machine. Returns null for anything else: a path, a wildcard, an IPv6 address.
 */
export function readEmbedOrigin(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > textLengthMax || /[\s\\*]/.test(trimmed) || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  const isBare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  const isTrusted = url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
  return isBare && isTrusted && hostFormat.test(url.hostname) ? url.origin : null;
}

export async function readEmbedOrigins(db: Queryable, accountId: string): Promise<string[]> {
  const [row] = await db.query<{ embed_origins: string[] }>({
    name: 'read_embed_origins',
    text: 'select embed_origins from accounts where id = $1',
    values: [accountId],
  });
  return row?.embed_origins ?? [];
}

/**
 * Sets which sites may show signing pages in a frame, from now on. Returns null if the account does not exist or is removed.
 * `personId`: the person for the account's audit log, null for an operator.
 */
export async function setEmbedOrigins(
  world: World,
  tx: Tx,
  accountId: string,
  origins: readonly string[],
  personId: string | null,
): Promise<string[] | null> {
  const [row] = await tx.query<{ embed_origins: string[] }>({
    name: 'set_embed_origins',
    text: 'update accounts set embed_origins = $2 where id = $1 and removed_at is null returning embed_origins',
    values: [accountId, [...new Set(origins)]],
  });
  if (row === undefined) return null;
  const detail = { origins: row.embed_origins };
  await auditAccount(world, tx, { accountId, personId, action: 'embed_origins_set', detail });
  return row.embed_origins;
}
