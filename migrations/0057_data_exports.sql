-- Data exports: owners have everything of their company written into one ZIP archive.

create table data_exports (
  id uuid primary key,
  -- Null when the company was erased. A job then removes the archive and the row.
  account_id uuid references accounts,
  requested_by uuid references people,
  requested_at timestamptz not null,
  language text not null check (language in ('en', 'es')),
  status text not null check (status in ('pending', 'running', 'ready', 'failed', 'cancelled')),
  -- Each attempt has its own key in the file store, so that a killed one cannot overwrite a finished archive.
  attempts smallint not null default 0 check (attempts between 0 and 5),
  lease_id uuid,
  leased_until timestamptz,
  files_done bigint not null default 0 check (files_done >= 0),
  -- Null until the stored files are counted.
  files_total bigint check (files_total >= 0),
  missing_files bigint not null default 0 check (missing_files >= 0),
  -- Size of the archive.
  bytes bigint check (bytes > 0),
  failure text check (failure in ('failed', 'no_space', 'too_large')),
  finished_at timestamptz,
  -- When the archive and the row are removed.
  expires_at timestamptz,
  -- The session that confirmed the download, and until when it may download.
  opened_by uuid,
  opened_until timestamptz,
  check ((status = 'ready') = (bytes is not null)),
  check ((status = 'failed') = (failure is not null)),
  check ((status in ('pending', 'running')) = (expires_at is null)),
  check ((lease_id is null) = (leased_until is null)),
  check (account_id is not null or status = 'cancelled')
);
create unique index data_exports_unfinished on data_exports (account_id) where status in ('pending', 'running');
create index data_exports_by_account on data_exports (account_id, id desc);
create index data_exports_to_run on data_exports (requested_at) where status in ('pending', 'running');
create index data_exports_by_end on data_exports (expires_at) where expires_at is not null;
