-- Whether the company's audit log showed the entry when it was written. The stream then sends it even if the log hides it later,
-- because the member has left.
alter table audit_stream_entries add column was_shown boolean not null default false;
