-- The message log of a company. An address is stored in the form in which addresses are compared, or as the digits of a phone
-- number. Messages from before have none: their recipient has it.

alter table messages
  add column address text,
  -- What a mail server reported after it had accepted the message.
  add column delayed_at timestamptz,
  add column bounced_at timestamptz,
  add column reported_reason text;
create index messages_by_account on messages (account_id, id desc);
create index messages_by_address on messages (address, account_id, id desc) where address is not null;
create index messages_not_accepted on messages (account_id, status, id desc) where status <> 'accepted';
create index messages_bounced on messages (account_id, id desc) where bounced_at is not null;

alter table notices
  add column address text,
  add column delayed_at timestamptz,
  add column bounced_at timestamptz,
  add column reported_reason text,
  -- For `sender_bounced`: the message that bounced.
  add column about_message uuid,
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in (
    'sender_completed', 'sender_declined', 'sender_bounced', 'recipient_voided', 'recipient_declined', 'recipient_expired',
    'recipient_reassigned'
  )) not valid,
  drop constraint notices_check1,
  add constraint notices_addressee_check check (
    (kind in ('sender_completed', 'sender_declined', 'sender_bounced')) = (recipient_id is null)
  ) not valid,
  add constraint notices_about_message_check check ((kind = 'sender_bounced') = (about_message is not null)) not valid;
-- Nobody is told twice, and the sender once of each message that bounces.
create unique index notices_once
  on notices (account_id, document_id, recipient_id, holder, kind, about_message) nulls not distinct;
alter table notices drop constraint notices_account_id_document_id_recipient_id_holder_kind_key;
create index notices_by_account on notices (account_id, id desc);
create index notices_by_address on notices (address, account_id, id desc) where address is not null;
create index notices_not_accepted on notices (account_id, status, id desc) where status <> 'accepted';
create index notices_bounced on notices (account_id, id desc) where bounced_at is not null;

alter table accounts
  drop constraint accounts_notices_off_check,
  add constraint accounts_notices_off_check check (
    notices_off <@ array[
      'sender_completed', 'sender_declined', 'sender_bounced', 'recipient_voided', 'recipient_declined', 'recipient_expired',
      'recipient_reassigned'
    ]
  ) not valid;

-- Messages that are sent at once or by a job of their own: codes and links to recipients, and e-mails to members.
create table direct_messages (
  id uuid primary key,
  account_id uuid not null,
  document_id uuid not null,
  -- Null: to a member.
  recipient_id uuid,
  -- The person that the recipient was.
  holder smallint,
  kind text not null check (kind in (
    'verification_code', 'sign_in_link', 'review_submitted', 'review_returned', 'schedule_failed'
  )),
  channel text not null check (channel in ('email', 'sms')),
  address text,
  status text not null check (status in ('pending', 'accepted', 'failed', 'cancelled')),
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  provider_id text,
  created_at timestamptz not null,
  settled_at timestamptz,
  delayed_at timestamptz,
  bounced_at timestamptz,
  reported_reason text,
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((status = 'pending') = (settled_at is null)),
  check ((recipient_id is null) = (holder is null))
);
create index direct_messages_by_account on direct_messages (account_id, id desc);
create index direct_messages_by_document on direct_messages (document_id, id);
create index direct_messages_by_address on direct_messages (address, account_id, id desc) where address is not null;
create index direct_messages_not_accepted on direct_messages (account_id, status, id desc) where status <> 'accepted';
create index direct_messages_bounced on direct_messages (account_id, id desc) where bounced_at is not null;
