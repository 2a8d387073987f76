-- If a bulk send stops, the member who started it gets an e-mail in this language. Null: it was not started, or before this migration.
alter table bulk_sends add column language text check (language in ('en', 'es'));

-- `not valid`: all rows have one of the former kinds, which need no check.
alter table direct_messages
  drop constraint direct_messages_kind_check,
  add constraint direct_messages_kind_check check (kind in (
    'verification_code', 'sign_in_link', 'review_submitted', 'review_returned', 'schedule_failed', 'bulk_send_stopped'
  )) not valid;
