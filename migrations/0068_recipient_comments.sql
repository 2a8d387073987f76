-- What recipients write to the sender on the signing page. It is not part of what they sign: the audit trail only says that
-- someone wrote, so that the text can be erased.
create table recipient_comments (
  account_id uuid not null,
  document_id uuid not null,
  id uuid not null,
  recipient_id uuid not null references recipients,
  -- Which of the recipient's people wrote, counted from 1.
  holder smallint not null check (holder > 0),
  at timestamptz not null,
  -- The person's name at that time. Null, like the text, once the person was erased.
  name text check (char_length(name) between 1 and 120),
  text text check (char_length(text) between 1 and 2000),
  primary key (account_id, document_id, id),
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((name is null) = (text is null))
);
-- Recipients of drafts are deleted, which looks for rows that refer to them.
create index recipient_comments_recipient on recipient_comments (recipient_id);

-- Whether recipients may write comments.
alter table accounts
  add column allows_comments boolean not null default true,
  drop constraint accounts_notices_off_check,
  add constraint accounts_notices_off_check check (
    notices_off <@ array[
      'sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented', 'recipient_voided',
      'recipient_declined', 'recipient_expired', 'recipient_reassigned'
    ]
  ) not valid;

alter table members
  drop constraint members_notices_off_check,
  add constraint members_notices_off_check check (
    notices_off <@ array['sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented']
  ) not valid;

alter table notices
  -- For `sender_commented`: the comment.
  add column about_comment uuid,
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in (
    'sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented', 'recipient_voided',
    'recipient_declined', 'recipient_expired', 'recipient_reassigned'
  )) not valid,
  drop constraint notices_addressee_check,
  add constraint notices_addressee_check check (
    (kind in ('sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented'))
      = (recipient_id is null)
  ) not valid,
  add constraint notices_about_comment_check check ((kind = 'sender_commented') = (about_comment is not null)) not valid;
-- The sender is told once of each comment.
drop index notices_once;
create unique index notices_once
  on notices (
    account_id, document_id, recipient_id, holder, kind, about_message, about_recipient, about_holder, about_comment
  )
  nulls not distinct;
