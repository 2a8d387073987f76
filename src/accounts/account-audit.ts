import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';

/** Everything that is recorded, in the order of filters. */
export const accountActions = [
  'signed_in',
  'company_opened',
  'sign_in_failed',
  'identity_confirmed',
  'session_ended',
  'sessions_ended',
  'password_set',
  'password_removed',
  'totp_confirmed',
  'totp_removed',
  'recovery_codes_replaced',
  'passkey_registered',
  'passkey_removed',
  'signature_saved',
  'saved_signature_removed',
  'member_invited',
  'invitation_sent',
  'member_joined',
  'sign_in_link_created',
  'member_role_changed',
  'member_removed',
  'key_created',
  'key_revoked',
  'webhook_added',
  'webhook_removed',
  'webhook_paused',
  'webhook_resumed',
  'webhook_events_chosen',
  'webhook_secret_rolled',
  'webhook_limited',
  'webhook_payload_chosen',
  'webhook_redelivered',
  'plan_changed',
  'credits_added',
  'account_removed',
  'account_erased',
  'person_erased',
  'types_restricted',
  'folder_created',
  'folder_renamed',
  'folder_opened',
  'folder_closed',
  'folder_deleted',
  'folder_member_set',
  'folder_member_removed',
  'document_moved',
  'cc_list_created',
  'cc_list_changed',
  'cc_list_deleted',
  'notices_chosen',
  'own_notices_chosen',
  'sending_defaults_set',
  'signing_settings_set',
  'embed_origins_set',
  'brand_changed',
  'custom_domain_set',
  'custom_domain_activated',
  'custom_domain_broken',
  'custom_domain_removed',
  'unlock_asked',
  'unlocked_text_changed',
  'unlocked_text_reverted',
  'upload_started',
  'migration_started',
  'bulk_send_started',
  'bulk_send_cancelled',
  'bulk_send_stopped',
  'bulk_send_deleted',
  'public_link_created',
  'public_link_changed',
  'public_link_switched_on',
  'public_link_switched_off',
  'public_link_deleted',
  'sso_set',
  'sso_removed',
  'sso_unlinked',
  'sso_domain_added',
  'sso_domain_proven',
  'sso_domain_removed',
  'data_export_requested',
  'data_export_cancelled',
  'data_export_deleted',
  'data_export_downloaded',
  'audit_stream_set',
  'audit_stream_paused',
  'audit_stream_resumed',
  'audit_stream_secret_rolled',
  'audit_stream_removed',
  'esign_connected',
  'esign_disconnected',
] as const;

export type AccountAction = (typeof accountActions)[number];

export function isAccountAction(value: string): value is AccountAction {
  return (accountActions as readonly string[]).includes(value);
}

/** What a person did to a company's settings, or had brought into it (`accountId`), or to what proves who they are (null). Append-only. */
export interface AccountAuditEntry {
  accountId: string | null;
  /** Null: the operator. */
  personId: string | null;
  action: AccountAction;
  detail: Record<string, unknown>;
}

/**
 * In the transaction of the change it tells of. Where the company's audit log is streamed, the entry waits for the stream from
 * its commit on. An entry about the sign-in of a person waits for all their companies: what a company's log has never shown is
 * left out when it is sent. What it shows now is sent even if the person leaves the company first.
 */
export async function auditAccount(world: World, db: Queryable, entry: AccountAuditEntry): Promise<void> {
  await db.query({
    name: 'append_account_audit',
    text: `with entry as (
             insert into account_audit_entries (id, account_id, person_id, at, action, detail)
             values ($1, $2, $3, $4, $5, $6) returning id, account_id, person_id
           )
           insert into audit_stream_entries (account_id, entry_id, was_shown)
           select s.account_id, entry.id, true from entry join audit_streams s on s.account_id = entry.account_id
           union all
           select s.account_id, entry.id, exists (
             select from account_audit_entries first
             where first.account_id = s.account_id and first.person_id = entry.person_id
               and first.action in ('signed_in', 'company_opened') and first.id > m.id and first.id < entry.id
               and first.detail ->> 'method' is distinct from 'sso'
           )
           from entry join people p on p.id = entry.person_id join members m on m.canonical_email = p.canonical_email
           join audit_streams s on s.account_id = m.account_id
           where entry.account_id is null`,
    values: [
      world.newId(),
      entry.accountId,
      entry.personId,
      world.clock.now(),
      entry.action,
      JSON.stringify(entry.detail),
    ],
  });
}
