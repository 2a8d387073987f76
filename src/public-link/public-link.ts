import type { Actor } from '../actor.ts';
import { randomBase62 } from '../platform/base62.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { LinkSettings } from './link-settings.ts';

/** One row of `public_links`: a link of a template from which anyone can sign. */
export interface PublicLink {
  account_id: string;
  id: string;
  template_id: string;
  token: string;
  /** Shown on its page. Null: the title of the template. */
  name: string | null;
  language: Language;
  ends_at: Timestamp | null;
  documents_max: number;
  /** The documents that were made. */
  documents: number;
  one_per_email: boolean;
  is_on: boolean;
  /** In whose name documents are sent. */
  actor: Actor;
  created_at: Timestamp;
}

const columns = `account_id, id, template_id, token, name, language, ends_at, documents_max, documents, one_per_email,
  is_on, actor, created_at`;

/** 131 bits. */
const tokenLength = 22;
const tokenFormat = /^[0-9A-Za-z]{22}$/;

/** Links of one template. */
export const linksMax = 50;

export function linkAddress(origin: string, { token }: Pick<PublicLink, 'token'>): string {
  return `${origin}/link/${token}`;
}

/** Creates a link that is on. The caller holds the template's lock. */
export async function createLink(
  world: World,
  tx: Tx,
  template: { id: string; account_id: string },
  actor: Actor,
  settings: LinkSettings,
): Promise<PublicLink> {
  const { name, language, ends_at, documents_max, one_per_email } = settings;
  const rows = await tx.query<PublicLink>({
    name: 'create_public_link',
    text: `insert into public_links (account_id, id, template_id, token, name, language, ends_at, documents_max,
             one_per_email, is_on, actor, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, $11) returning ${columns}`,
    values: [
      template.account_id,
      world.newId(),
      template.id,
      randomBase62(world.random, tokenLength),
      name,
      language,
      ends_at,
      documents_max,
      one_per_email,
      actor,
      world.clock.now(),
    ],
  });
  return rows[0] as PublicLink;
}

/** Finds a link by the secret part of its address. */
export async function findLinkByToken(db: Queryable, token: string): Promise<PublicLink | null> {
  if (!tokenFormat.test(token)) return null;
  const rows = await db.query<PublicLink>({
    name: 'find_public_link_by_token',
    text: `select ${columns} from public_links where token = $1`,
    values: [token],
  });
  return rows[0] ?? null;
}

/** Returns the sites that may show the page of a link in a frame. None for an unknown link. */
export async function findEmbedOriginsOfLink(db: Queryable, token: string): Promise<string[]> {
  if (!tokenFormat.test(token)) return [];
  const [row] = await db.query<{ embed_origins: string[] }>({
    name: 'find_embed_origins_of_public_link',
    text: `select a.embed_origins from public_links l join accounts a on a.id = l.account_id where l.token = $1`,
    values: [token],
  });
  return row?.embed_origins ?? [];
}

/** Finds a link of any company. Only for operators. */
export async function findLink(db: Queryable, id: string): Promise<PublicLink | null> {
  const rows = await db.query<PublicLink>({
    name: 'find_public_link',
    text: `select ${columns} from public_links where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export async function findLinkOfTemplate(
  db: Queryable,
  { id: templateId, account_id }: { id: string; account_id: string },
  id: string,
): Promise<PublicLink | null> {
  const rows = await db.query<PublicLink>({
    name: 'find_public_link_of_template',
    text: `select ${columns} from public_links where account_id = $1 and id = $2 and template_id = $3`,
    values: [account_id, id, templateId],
  });
  return rows[0] ?? null;
}

/**
 * Locks a link against changes and against other visitors. Its documents are counted under this lock. It comes before the
 * lock of its template.
 */
export async function lockLink(tx: Tx, accountId: string, id: string): Promise<PublicLink | null> {
  const rows = await tx.query<PublicLink>({
    name: 'lock_public_link',
    text: `select ${columns} from public_links where account_id = $1 and id = $2 for update`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Lists the links of a template, newest first. `afterId`: the last link of the page before, or null. */
export function listLinks(
  db: Queryable,
  { id: templateId, account_id }: { id: string; account_id: string },
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<PublicLink[]> {
  return db.query<PublicLink>({
    name: 'list_public_links',
    text: `select ${columns} from public_links
           where account_id = $1 and template_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    values: [account_id, templateId, afterId, limit],
  });
}

export async function countLinks(db: Queryable, { id: templateId, account_id }: { id: string; account_id: string }) {
  const [found] = await db.query<{ count: number }>({
    name: 'count_public_links',
    text: 'select count(*)::int as count from public_links where account_id = $1 and template_id = $2',
    values: [account_id, templateId],
  });
  return found?.count ?? 0;
}

/** Changes the settings. Documents are sent in the name of `actor` from now on. The caller holds the link's lock. */
export async function changeLink(tx: Tx, link: PublicLink, actor: Actor, settings: LinkSettings): Promise<PublicLink> {
  const { name, language, ends_at, documents_max, one_per_email } = settings;
  const rows = await tx.query<PublicLink>({
    name: 'change_public_link',
    text: `update public_links set name = $3, language = $4, ends_at = $5, documents_max = $6, one_per_email = $7, actor = $8
           where account_id = $1 and id = $2 returning ${columns}`,
    values: [link.account_id, link.id, name, language, ends_at, documents_max, one_per_email, actor],
  });
  return rows[0] as PublicLink;
}

/** Switches a link on or off. Documents are sent in the name of `actor` from now on. The caller holds the link's lock. */
export async function switchLink(tx: Tx, link: PublicLink, actor: Actor, isOn: boolean): Promise<PublicLink> {
  const rows = await tx.query<PublicLink>({
    name: 'switch_public_link',
    text: `update public_links set is_on = $3, actor = $4 where account_id = $1 and id = $2 returning ${columns}`,
    values: [link.account_id, link.id, isOn, actor],
  });
  return rows[0] as PublicLink;
}

/** Deletes a link for good. Its documents stay. The caller holds the link's lock. */
export async function deleteLink(tx: Tx, { account_id, id }: PublicLink): Promise<void> {
  await tx.query({
    name: 'delete_public_link',
    text: 'delete from public_links where account_id = $1 and id = $2',
    values: [account_id, id],
  });
}
