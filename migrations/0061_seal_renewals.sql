-- A sealed file gets a new time-stamp before the certificates of its newest one end. Each such file is a version of its own. The
-- bytes of earlier versions are released. Their hashes stay, so that copies of them are recognized.

alter table sealed_files
  add column version integer not null default 1 check (version > 0),
  -- When the certificates of its newest time-stamp end. Null: it has no time-stamp, or was not read yet.
  add column stamped_until timestamptz,
  -- When a worker looks at it next. Null: never, because it has no time-stamp, was erased, or a later version replaced it. The
  -- files that exist are read at once.
  add column renew_at timestamptz default 'epoch',
  -- Attempts that failed since the last success, and why the last of them did.
  add column renewal_failures integer not null default 0 check (renewal_failures >= 0),
  add column renewal_failure text check (
    renewal_failure in ('authority', 'no_later', 'unreadable', 'too_large', 'missing', 'failed')
  ),
  add check ((renewal_failures = 0) = (renewal_failure is null)),
  drop constraint sealed_files_pkey,
  add primary key (account_id, document_id, version);
alter table sealed_files
  alter column version drop default,
  alter column renew_at drop default;
create index sealed_files_to_renew on sealed_files (renew_at) where renew_at is not null;
create index sealed_files_not_renewed on sealed_files (account_id, document_id) where renewal_failure is not null;
