-- Reassigning: a place on a document passes from one person to another. Each holder of a place has a number, and links
-- and messages belong to the holder they were made for: those of an earlier one lead nowhere.
alter table recipients add column holder smallint not null default 1 check (holder > 0);
alter table signing_links add column holder smallint not null default 1;
alter table messages
  add column holder smallint not null default 1,
  drop constraint messages_recipient_id_kind_step_key,
  add unique (recipient_id, holder, kind, step);
