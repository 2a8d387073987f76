-- Drafts that are sent at a later time.

alter table documents
  -- When it is sent. Null: it is not scheduled.
  add column send_at timestamptz,
  -- Who scheduled it, and in whose name it is sent. Kept after a failure.
  add column send_by text,
  -- The language of the e-mail to this member if the document can't be sent.
  add column send_language text check (send_language in ('en', 'es')),
  -- Why and when the last schedule ended without sending. Null after the next schedule, and once it is sent or voided.
  add column send_failure text check (send_failure in (
    'no_recipients', 'no_signers', 'recipient_contact_required', 'approver_requires_sequential', 'pay_app_unsigned',
    'not_a_member', 'not_allowed', 'company_removed', 'failed'
  )),
  add column send_failed_at timestamptz,
  add check (send_at is null or (status in ('draft', 'in_review') and not is_template)),
  add check (send_at is null or (send_by is not null and send_language is not null and send_failure is null)),
  add check ((send_failure is null) = (send_failed_at is null));
create index documents_to_send on documents (send_at, id) where send_at is not null;
