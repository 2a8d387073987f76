-- Notices tell people what became of a document: its sender, and the recipients who were asked.

alter table accounts
  -- The notices that the company has switched off.
  add column notices_off text[] not null default '{}' check (
    notices_off <@ array[
      'sender_completed', 'sender_declined', 'recipient_voided', 'recipient_declined', 'recipient_expired',
      'recipient_reassigned'
    ]
  );

create table notices (
  id uuid primary key,
  account_id uuid not null,
  document_id uuid not null,
  -- Null: to the sender. No foreign key, or each removed recipient of a draft would be looked up here.
  recipient_id uuid,
  -- The person that the recipient was when the notice was written.
  holder smallint,
  kind text not null check (kind in (
    'sender_completed', 'sender_declined', 'recipient_voided', 'recipient_declined', 'recipient_expired',
    'recipient_reassigned'
  )),
  channel text not null check (channel in ('email', 'sms')),
  -- The person before a reassignment, whom the recipient's row names no more. Removed when the notice is settled.
  former_name text,
  former_address text,
  status text not null check (status in ('pending', 'accepted', 'failed', 'cancelled')),
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  provider_id text,
  created_at timestamptz not null,
  settled_at timestamptz,
  foreign key (account_id, document_id) references documents (account_id, id),
  -- Nobody is told twice.
  unique nulls not distinct (account_id, document_id, recipient_id, holder, kind),
  check ((status = 'pending') = (settled_at is null)),
  check ((kind in ('sender_completed', 'sender_declined')) = (recipient_id is null)),
  check ((recipient_id is null) = (holder is null)),
  check (former_address is null or status = 'pending')
);
