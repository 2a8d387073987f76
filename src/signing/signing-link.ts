import { createHash } from 'node:crypto';
import { readBrand } from '../branding/brand.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { pageBrand } from './page-brand.ts';
import type { PageBrand } from './pages/signing-page.ts';

/**
 * Creates a signing link for one recipient and returns its URL. The token is 256 random bits.
 *
 * Only the SHA-256 of the token is stored, so a link cannot be read back. Each message and each page that shows a link
 * gets a new one. A link stops working when the recipient is reassigned to another person.
 */
export async function mintSigningLink(
  world: World,
  db: Queryable,
  origin: string,
  recipient: Pick<Recipient, 'id' | 'holder'>,
): Promise<string> {
  const token = world.random.bytes(32).toString('base64url');
  await db.query({
    name: 'mint_signing_link',
    text: 'insert into signing_links (token_hash, recipient_id, holder, created_at) values ($1, $2, $3, $4)',
    values: [hashToken(token), recipient.id, recipient.holder, world.clock.now()],
  });
  return `${origin}/sign/${token}`;
}

const tokenFormat = /^[A-Za-z0-9_-]{43}$/;

/** The recipient that a link was made for. `holder` counts the people that the recipient was reassigned to. */
export interface LinkOwner {
  account_id: string;
  document_id: string;
  recipient_id: string;
  holder: number;
}

/** Finds the owner of a link. Returns null for an unknown link, and after a reassignment. */
export async function findLinkOwner(db: Queryable, token: string): Promise<LinkOwner | null> {
  if (!tokenFormat.test(token)) return null;
  const rows = await db.query<LinkOwner>({
    name: 'find_link_owner',
    text: `select r.account_id, r.document_id, r.id as recipient_id, l.holder
           from signing_links l join recipients r on r.id = l.recipient_id and r.holder = l.holder
           where l.token_hash = $1`,
    values: [hashToken(token)],
  });
  return rows[0] ?? null;
}

/** What the page of a link says after the recipient was reassigned: who sent the document, in its language. */
export interface ReassignedLink {
  accountName: string;
  brand: PageBrand;
  language: Language;
}

/** Returns null for an unknown link, and for one whose recipient was not reassigned. */
export async function findReassignedLink(db: Queryable, token: string): Promise<ReassignedLink | null> {
  if (!tokenFormat.test(token)) return null;
  const [row] = await db.query<Omit<ReassignedLink, 'brand'> & { accountId: string }>({
    name: 'find_reassigned_link',
    text: `select a.id as "accountId", a.display_name as "accountName", d.primary_language as language
           from signing_links l join recipients r on r.id = l.recipient_id and r.holder > l.holder
           join documents d on d.account_id = r.account_id and d.id = r.document_id
           join accounts a on a.id = r.account_id
           where l.token_hash = $1`,
    values: [hashToken(token)],
  });
  if (row === undefined) return null;
  const { accountId, accountName, language } = row;
  return { accountName, language, brand: pageBrand(await readBrand(db, accountId)) };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
