-- The notice to the sender when a recipient has named someone else.

alter table accounts
  drop constraint accounts_notices_off_check,
  add constraint accounts_notices_off_check check (
    notices_off <@ array[
      'sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'recipient_voided', 'recipient_declined',
      'recipient_expired', 'recipient_reassigned'
    ]
  ) not valid;

alter table notices
  -- For `sender_delegated`: the recipient, and which of its people named someone else.
  add column about_recipient uuid,
  add column about_holder smallint,
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in (
    'sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'recipient_voided', 'recipient_declined',
    'recipient_expired', 'recipient_reassigned'
  )) not valid,
  drop constraint notices_addressee_check,
  add constraint notices_addressee_check check (
    (kind in ('sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated')) = (recipient_id is null)
  ) not valid,
  add constraint notices_about_recipient_check check (
    (kind = 'sender_delegated') = (about_recipient is not null) and (about_recipient is null) = (about_holder is null)
  ) not valid;
-- The sender is told once of each person who named someone else.
drop index notices_once;
create unique index notices_once
  on notices (account_id, document_id, recipient_id, holder, kind, about_message, about_recipient, about_holder)
  nulls not distinct;
