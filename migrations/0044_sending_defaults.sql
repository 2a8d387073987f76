-- When documents expire and remind: defaults of a company, and the values of each document.

-- The days before each reminder: a schedule like REMINDER_DAYS.
create function is_reminder_schedule(days smallint[]) returns boolean language sql immutable as $$
  select cardinality(days) <= 20 and array_position(days, null) is null and 1 <= all (days) and 365 >= all (days)
$$;

alter table accounts
  -- For documents that the console creates. Null: they never expire.
  add column default_expires_in_days smallint check (default_expires_in_days between 1 and 365),
  -- For all new documents. Null: the schedule of the service. Empty: no reminders.
  add column default_reminder_days smallint[] check (is_reminder_schedule(default_reminder_days)),
  add column default_expiry_reminder_days smallint check (default_expiry_reminder_days between 1 and 365);

alter table documents
  -- Null: the schedule of the service, REMINDER_DAYS. Empty: no reminders.
  add column reminder_days smallint[] check (is_reminder_schedule(reminder_days)),
  -- Days before `expires_at`. Null: no reminder before it expires.
  add column expiry_reminder_days smallint check (expiry_reminder_days between 1 and 365),
  -- When the reminder before the expiry is due. Null: never, or it was sent.
  add column expiry_reminder_at timestamptz;
create index documents_by_expiry_reminder on documents (expiry_reminder_at) where expiry_reminder_at is not null;

-- When the next reminder after the message is due, by the schedule of its document. Null if the document has none.
alter table messages add column remind_at timestamptz;
create index messages_to_remind on messages (remind_at) where remind_at is not null and not followed;
drop index messages_to_follow;
create index messages_to_follow on messages (step, settled_at)
  where settled_at is not null and not followed and kind <> 'completed_copy' and step is not null and remind_at is null;
