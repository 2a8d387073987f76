import { readAccountName } from '../accounts/manage-accounts.ts';
import type { Document } from '../documents/document.ts';
import { findDocumentInAccount, listRecipients } from '../documents/queries.ts';
import { addLogContext } from '../platform/log-context.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { type Availability, availabilityOf, findObstacle, type Obstacle } from './availability.ts';
import { findLinkByToken, type PublicLink } from './public-link.ts';

/** A link as a visitor finds it. */
export interface OpenedLink {
  link: PublicLink;
  /** What the page calls it. */
  name: string;
  accountName: string;
  availability: Availability;
}

/** Opens a link by the secret part of its address. Changes nothing. Returns null for an unknown link. */
export async function openLink(world: World, db: Queryable, token: string): Promise<OpenedLink | null> {
  const link = await findLinkByToken(db, token);
  if (link === null) return null;
  addLogContext({ account_id: link.account_id });
  const [{ template, obstacle }, accountName] = await Promise.all([
    readTemplate(db, link),
    readAccountName(db, link.account_id),
  ]);
  const availability = availabilityOf(link, obstacle, world.clock.now());
  return { link, name: link.name ?? template?.title ?? accountName, accountName, availability };
}

/** Reads the template of a link, and what keeps documents from being made. */
export async function readTemplate(
  db: Queryable,
  link: PublicLink,
): Promise<{ template: Document | null; obstacle: Obstacle | null }> {
  const [template, recipients] = await Promise.all([
    findDocumentInAccount(db, link.account_id, link.template_id),
    listRecipients(db, link.account_id, link.template_id),
  ]);
  return { template, obstacle: await findObstacle(db, link, template, recipients) };
}
