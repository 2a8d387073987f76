-- PostgreSQL reads the expression of each CHECK anew for each statement that writes a row: with 32 of them that took more than
-- half of the time of a small update. A PL/pgSQL function is read once per connection. So all rules for the rows of a busy table
-- are in one function, and a later migration changes a rule by `create or replace function`. As in a CHECK, a rule that is null
-- for a row holds. The functions call no other function of ours, because a restored dump has no search path.

create function is_valid_document(d documents) returns boolean language plpgsql immutable parallel safe as $$
begin
  return d.type in (
      'contract', 'form', 'letter', 'estimate', 'change_order', 'invoice', 'lien_waiver', 'notice_to_owner',
      'schedule_of_values', 'pay_app', 'coi', 'license', 'other', 'w9', 'warranty', 'completion_certificate',
      'safety_acknowledgment', 'general', 'receipt', 'note', 'check', 'notice_of_commencement', 'comment_letter'
    )
    and d.restricted_kind in ('pay', 'tax', 'identity', 'bank', 'health', 'other')
    and char_length(d.title) between 1 and 200
    and char_length(d.message) <= 2000
    and d.primary_language in ('en', 'es')
    and d.secondary_language in ('en', 'es')
    and d.sign_order_mode in ('sequential', 'parallel')
    and d.recipient_count >= 0
    and d.mirrors_document_id <> d.id
    and octet_length(d.content_sha256) = 32
    and d.audit_seq > 0
    and octet_length(d.audit_hash) = 32
    -- How far it is.
    and d.status in ('draft', 'in_review', 'sent', 'partially_signed', 'completed', 'declined', 'expired', 'voided')
    and (d.status not in ('sent', 'partially_signed', 'completed', 'declined', 'expired') or d.sent_at is not null)
    and d.sent_mode in ('live', 'test')
    and (d.sent_at is null) = (d.sent_mode is null)
    and (d.status <> 'completed' or d.completed_at is not null)
    and (d.status = 'voided') = (d.voided_at is not null)
    and (d.sealed_at is null or d.completed_at is not null)
    and (d.sealed_file is null or d.sealed_at is not null)
    and d.seal_changed_page > 0
    and (not d.is_migrated or (d.completed_at is not null and d.sealed_at is null))
    -- When it is sent, ends and reminds.
    and (d.send_at is null or (d.status in ('draft', 'in_review') and not d.is_template))
    and (d.send_at is null or (d.send_by is not null and d.send_language is not null and d.send_failure is null))
    and d.send_language in ('en', 'es')
    and d.send_failure in (
      'no_recipients', 'no_signers', 'recipient_contact_required', 'approver_requires_sequential', 'pay_app_unsigned',
      'not_a_member', 'not_allowed', 'company_removed', 'failed'
    )
    and (d.send_failure is null) = (d.send_failed_at is null)
    and d.expires_in_days between 1 and 365
    and d.expiry_reminder_days between 1 and 365
    and cardinality(d.reminder_days) <= 20
    and array_position(d.reminder_days, null) is null
    and 1 <= all (d.reminder_days)
    and 365 >= all (d.reminder_days)
    -- What recipients agree to.
    and char_length(d.copies_contact) between 1 and 200
    and char_length(d.copies_cost) between 1 and 200;
end
$$;

alter table documents
  drop constraint documents_audit_hash_check,
  drop constraint documents_audit_seq_check,
  drop constraint documents_check,
  drop constraint documents_check1,
  drop constraint documents_check2,
  drop constraint documents_check3,
  drop constraint documents_check4,
  drop constraint documents_check5,
  drop constraint documents_check6,
  drop constraint documents_check7,
  drop constraint documents_check8,
  drop constraint documents_check9,
  drop constraint documents_check10,
  drop constraint documents_content_sha256_check,
  drop constraint documents_copies_contact_check,
  drop constraint documents_copies_cost_check,
  drop constraint documents_expires_in_days_check,
  drop constraint documents_expiry_reminder_days_check,
  drop constraint documents_message_check,
  drop constraint documents_primary_language_check,
  drop constraint documents_recipient_count_check,
  drop constraint documents_reminder_days_check,
  drop constraint documents_restricted_kind_check,
  drop constraint documents_seal_changed_page_check,
  drop constraint documents_secondary_language_check,
  drop constraint documents_send_failure_check,
  drop constraint documents_send_language_check,
  drop constraint documents_sent_mode_check,
  drop constraint documents_sign_order_mode_check,
  drop constraint documents_status_check,
  drop constraint documents_title_check,
  drop constraint documents_type_check,
  -- The rows that exist have passed these rules.
  add constraint documents_valid check (is_valid_document(documents)) not valid;

create function is_valid_recipient(r recipients) returns boolean language plpgsql immutable parallel safe as $$
begin
  return r.position >= 0
    and r.sign_order > 0
    and r.holder > 0
    and char_length(r.display_name) between 1 and 120
    and char_length(r.party_role) <= 60
    and char_length(r.email) <= 254
    and char_length(r.phone) <= 40
    and r.channel in ('email', 'sms', 'in_person')
    and r.auth_level in ('l0_email_link', 'l1_email_sms_otp', 'l0_account_session')
    and (r.auth_level <> 'l1_email_sms_otp' or r.party_role is null or r.party_role not in ('cc', 'approver'))
    and r.status in ('pending', 'sent', 'viewed', 'signed', 'declined')
    and (r.status = 'pending' or r.sent_at is not null)
    and (r.status = 'signed') = (r.signed_at is not null)
    and (r.status = 'declined') = (r.declined_at is not null)
    and (r.declined_at is null) = (r.declined_reason is null)
    and char_length(r.declined_reason) between 1 and 1000
    and char_length(r.initials_text) between 1 and 10;
end
$$;

alter table recipients
  drop constraint recipients_auth_level_check,
  drop constraint recipients_channel_check,
  drop constraint recipients_check,
  drop constraint recipients_check1,
  drop constraint recipients_check2,
  drop constraint recipients_check3,
  drop constraint recipients_check4,
  drop constraint recipients_declined_reason_check,
  drop constraint recipients_display_name_check,
  drop constraint recipients_email_check,
  drop constraint recipients_holder_check,
  drop constraint recipients_initials_text_check,
  drop constraint recipients_party_role_check,
  drop constraint recipients_phone_check,
  drop constraint recipients_position_check,
  drop constraint recipients_sign_order_check,
  drop constraint recipients_status_check,
  add constraint recipients_valid check (is_valid_recipient(recipients)) not valid;

create function is_valid_message(m messages) returns boolean language plpgsql immutable parallel safe as $$
begin
  return m.kind in ('signature_request', 'reminder', 'completed_copy')
    and m.channel in ('email', 'sms')
    and m.step >= 0
    and (m.kind = 'reminder' or m.step is not distinct from 0)
    and (m.kind <> 'reminder' or m.step <> 0)
    and m.attempts >= 0
    and m.status in ('pending', 'accepted', 'failed', 'cancelled')
    and (m.status = 'pending') = (m.settled_at is null);
end
$$;

alter table messages
  drop constraint messages_attempts_check,
  drop constraint messages_channel_check,
  drop constraint messages_check,
  drop constraint messages_check1,
  drop constraint messages_check2,
  drop constraint messages_kind_check,
  drop constraint messages_status_check,
  drop constraint messages_step_check,
  add constraint messages_valid check (is_valid_message(messages)) not valid;

create function is_valid_import_item(i import_items) returns boolean language plpgsql immutable parallel safe as $$
begin
  return i.index >= 0
    and char_length(i.name) between 1 and 400
    and i.bytes >= 0
    and i.pages > 0
    and i.reserved_bytes >= 0
    and i.status in ('queued', 'running', 'filed', 'failed')
    and (i.status in ('queued', 'running') or (i.reserved_bytes = 0 and i.sealed_link is null))
    and (i.status in ('filed', 'failed')) = (i.finished_at is not null)
    and (i.status = 'filed') = (i.document_id is not null)
    and (i.status = 'filed' or not i.duplicate)
    and (i.status = 'failed') = (i.reason is not null)
    and i.reason in (
      'unsupported_type', 'too_large', 'export_too_large', 'not_found', 'permission_denied', 'link_expired',
      'download_failed', 'invalid_pdf', 'source_unavailable', 'storage_unavailable', 'interrupted'
    )
    and i.unlock_status in ('unlocked', 'pending', 'skipped', 'failed')
    and (i.unlock_status is null) = (i.unlock_credits is null)
    and i.unlock_credits >= 0
    and i.unlock_pages > 0
    and i.unlock_reason in ('insufficient_credits', 'encrypted_pdf', 'no_text', 'conversion_failed')
    and (i.unlock_status in ('failed', 'skipped') or i.unlock_reason is null);
end
$$;

alter table import_items
  drop constraint import_items_bytes_check,
  drop constraint import_items_check,
  drop constraint import_items_check1,
  drop constraint import_items_check2,
  drop constraint import_items_check3,
  drop constraint import_items_check4,
  drop constraint import_items_check5,
  drop constraint import_items_index_check,
  drop constraint import_items_name_check,
  drop constraint import_items_pages_check,
  drop constraint import_items_reason_check,
  drop constraint import_items_reserved_bytes_check,
  drop constraint import_items_status_check,
  drop constraint import_items_unlock_credits_check,
  drop constraint import_items_unlock_pages_check,
  drop constraint import_items_unlock_reason,
  drop constraint import_items_unlock_reason_check,
  drop constraint import_items_unlock_status_check,
  add constraint import_items_valid check (is_valid_import_item(import_items)) not valid;
