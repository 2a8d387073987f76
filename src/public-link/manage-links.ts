import { type AccountAction, auditAccount } from '../accounts/account-audit.ts';
import { type Actor, readActor } from '../actor.ts';
import { documentsChannel } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { listRecipients } from '../documents/queries.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { findRole, type TemplateFault } from './availability.ts';
import type { LinkSettings } from './link-settings.ts';
import {
  changeLink,
  countLinks,
  createLink,
  deleteLink,
  linksMax,
  type PublicLink,
  switchLink,
} from './public-link.ts';

/** Why a link can't be made, changed or switched on. */
export const linkRefusals = {
  link_needs_role: 'Leave one signer of the template without an e-mail address. That is who signs from the link.',
  link_has_many_roles: 'Only one recipient of the template may be without an e-mail address or phone number.',
  link_role_unreachable:
    'The recipient who signs from a link must be a signer or an approver who is asked by e-mail, without a phone number or a code by SMS.',
  no_recipients: 'Add at least one recipient.',
  approver_requires_sequential: 'Documents with an approver must be signed in order.',
  invalid_link_end: 'Choose an end in the future.',
  too_many_public_links: 'The template has too many public links. Delete one first.',
} as const satisfies Record<TemplateFault | 'invalid_link_end' | 'too_many_public_links', string>;

export type LinkRefusalCode = keyof typeof linkRefusals;

export class LinkRefusal extends Refusal {
  readonly code: LinkRefusalCode;

  constructor(code: LinkRefusalCode) {
    super(linkRefusals[code]);
    this.name = 'LinkRefusal';
    this.code = code;
  }
}

/**
 * Makes a link that is on, in the name of `actor`. The caller holds the template's lock. Throws a `LinkRefusal` if no document
 * could be made from the template.
 */
export async function addLink(
  world: World,
  tx: Tx,
  template: Document,
  actor: Actor,
  settings: LinkSettings,
): Promise<PublicLink> {
  await assertLinkable(tx, template);
  assertEnd(world, settings.ends_at);
  if ((await countLinks(tx, template)) >= linksMax) throw new LinkRefusal('too_many_public_links');
  const link = await createLink(world, tx, template, actor, settings);
  await audit(world, tx, link, actor, 'public_link_created', { ...settings });
  return link;
}

/** Changes the settings, in the name of `actor` from now on. The caller holds the link's lock. */
export async function editLink(
  world: World,
  tx: Tx,
  link: PublicLink,
  actor: Actor,
  settings: LinkSettings,
): Promise<PublicLink> {
  if (settings.ends_at !== link.ends_at) assertEnd(world, settings.ends_at);
  const changed = await changeLink(tx, link, actor, settings);
  await audit(world, tx, link, actor, 'public_link_changed', { ...settings });
  return changed;
}

/** Switches a link on, in the name of `actor` from now on. The caller holds the locks of the link and then its template. */
export async function switchLinkOn(
  world: World,
  tx: Tx,
  link: PublicLink,
  template: Document,
  actor: Actor,
): Promise<PublicLink> {
  await assertLinkable(tx, template);
  const changed = await switchLink(tx, link, actor, true);
  await audit(world, tx, link, actor, 'public_link_switched_on');
  return changed;
}

/** Switches a link off. Once this commits, it makes no further document. The caller holds the link's lock. */
export async function switchLinkOff(world: World, tx: Tx, link: PublicLink, actor: Actor): Promise<PublicLink> {
  const changed = await switchLink(tx, link, actor, false);
  await audit(world, tx, link, actor, 'public_link_switched_off');
  return changed;
}

/** Deletes a link for good. Its documents stay. The caller holds the link's lock. */
export async function removeLink(world: World, tx: Tx, link: PublicLink, actor: Actor): Promise<void> {
  await deleteLink(tx, link);
  await audit(world, tx, link, actor, 'public_link_deleted', { name: link.name, documents: link.documents });
}

async function assertLinkable(tx: Tx, template: Document): Promise<void> {
  const found = findRole(template, await listRecipients(tx, template.account_id, template.id));
  if (!found.ok) throw new LinkRefusal(found.fault);
}

function assertEnd(world: World, endsAt: LinkSettings['ends_at']): void {
  if (endsAt !== null && endsAt <= world.clock.now().toISOString()) throw new LinkRefusal('invalid_link_end');
}

function audit(
  world: World,
  tx: Tx,
  { account_id: accountId, id, template_id }: PublicLink,
  actor: Actor,
  action: AccountAction,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { kind, id: personId } = readActor(actor);
  tx.notify(documentsChannel, accountId);
  const detail = { template: template_id, public_link: id, ...more };
  return auditAccount(world, tx, { accountId, personId: kind === 'person' ? personId : null, action, detail });
}
