import { accessTo } from '../accounts/document-access.ts';
import { assertSendable, type Document } from '../documents/document.ts';
import { findActingMember } from '../documents/find-sender.ts';
import { isSigner, lacksContact, type Recipient } from '../documents/recipient.ts';
import { isRemoved } from '../documents/reminders.ts';
import { ApiError } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import type { PublicLink } from './public-link.ts';

/** Why no document can be made from a template by a link. */
export const templateFaults = [
  'link_needs_role',
  'link_has_many_roles',
  'link_role_unreachable',
  'no_recipients',
  'approver_requires_sequential',
] as const;

export type TemplateFault = (typeof templateFaults)[number];

/** Why a link that is on makes no documents. Only members see it. */
export type Obstacle = TemplateFault | 'company_removed' | 'template_deleted' | 'not_a_member' | 'not_allowed';

/** Whether a visitor can get a document now. `unavailable`: there is an obstacle. */
export type Availability = 'open' | 'off' | 'ended' | 'used_up' | 'unavailable';

/** Finds the recipient that a visitor becomes: the only one without a person. Returns what is wrong with the template otherwise. */
export function findRole(
  template: Document,
  recipients: readonly Recipient[],
): { ok: true; role: Recipient } | { ok: false; fault: TemplateFault } {
  const fault = (found: TemplateFault) => ({ ok: false, fault: found }) as const;
  if (recipients.length === 0) return fault('no_recipients');
  const [role, ...others] = recipients.filter(lacksContact);
  if (role === undefined) return fault('link_needs_role');
  if (others.length > 0) return fault('link_has_many_roles');
  const needsPhone = role.channel !== 'email' || role.auth_level === 'l1_email_sms_otp' || role.phone !== null;
  if (needsPhone || !isSigner(role)) return fault('link_role_unreachable');
  const filled = recipients.map((recipient) => (recipient === role ? { ...recipient, email: '-' } : recipient));
  const refused = refusalOf(() => assertSendable(template, filled, null));
  return refused === null ? { ok: true, role } : fault(refused);
}

function refusalOf(check: () => void): TemplateFault | null {
  try {
    check();
    return null;
  } catch (error) {
    const found = error instanceof ApiError ? templateFaults.find((code) => code === error.code) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/**
 * Finds why a link makes no documents, whatever its settings. It acts for the member who made, changed or switched it on last,
 * and follows what that member may do. An operator may do all.
 */
export async function findObstacle(
  db: Queryable,
  link: PublicLink,
  template: Document | null,
  recipients: readonly Recipient[],
): Promise<Obstacle | null> {
  if (await isRemoved(db, link.account_id)) return 'company_removed';
  if (template === null || template.status === 'voided') return 'template_deleted';
  if (link.actor !== 'operator') {
    const member = await findActingMember(db, link.account_id, link.actor);
    if (member === null) return 'not_a_member';
    if ((await accessTo(db, member, template)) !== 'editor') return 'not_allowed';
  }
  const found = findRole(template, recipients);
  return found.ok ? null : found.fault;
}

/** Returns what visitors meet. `obstacle`: from `findObstacle`. */
export function availabilityOf(link: PublicLink, obstacle: Obstacle | null, now: Date): Availability {
  if (!link.is_on) return 'off';
  if (link.ends_at !== null && link.ends_at <= now.toISOString()) return 'ended';
  if (link.documents >= link.documents_max) return 'used_up';
  return obstacle === null ? 'open' : 'unavailable';
}
