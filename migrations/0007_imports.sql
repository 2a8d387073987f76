-- Imports: the files asked for, what became of each, what an account has used of its plan, and how a file is recognised.

create table imports (
  id uuid primary key,
  account_id uuid not null references accounts,
  source text not null check (source in ('esign_vendor', 'cloud_drive', 'cloud_files', 'upload')),
  status text not null check (status in ('running', 'finished')),
  unlock_doc boolean not null,
  -- The key that started it: its documents are created in its name. Null for what the API did not start.
  api_key_id uuid references api_keys,
  -- Moved by the statement that ends an item, so that they are exact at every moment.
  total_files integer not null check (total_files >= 0),
  filed integer not null default 0 check (filed >= 0),
  failed integer not null default 0 check (failed >= 0),
  -- Who runs it. A process that died leaves a lease that ends; one that stalled records nothing under a lease it lost.
  lease_id uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (account_id, id),
  check (filed + failed <= total_files),
  check ((status = 'finished') = (finished_at is not null)),
  check (status <> 'finished' or filed + failed = total_files),
  check ((lease_id is null) = (leased_until is null))
);
create index imports_newest on imports (account_id, id desc);
create index imports_newest_by_status on imports (account_id, status, id desc);
create index imports_running on imports (leased_until) where status = 'running';

create table import_items (
  id uuid primary key,
  account_id uuid not null,
  import_id uuid not null,
  -- Position in the request that started the import.
  index integer check (index >= 0),
  name text check (char_length(name) between 1 and 400),
  status text not null check (status in ('queued', 'running', 'filed', 'failed')),
  reason text check (reason in (
    'unsupported_type', 'too_large', 'export_too_large', 'not_found', 'permission_denied', 'link_expired',
    'download_failed', 'invalid_pdf', 'source_unavailable', 'interrupted'
  )),
  document_id uuid,
  duplicate boolean not null default false,
  bytes bigint check (bytes >= 0),
  pages integer check (pages > 0),
  drive_file_id text,
  -- A file store's link, encrypted with SECRET_KEY, until the item has ended.
  sealed_link bytea,
  -- Counts toward the month's storage until the file lands or fails.
  reserved_bytes bigint not null check (reserved_bytes >= 0),
  -- What came of unlocking; null while that is open, or was not asked for.
  unlock_status text check (unlock_status in ('unlocked', 'pending', 'skipped', 'failed')),
  unlock_pages integer check (unlock_pages > 0),
  unlock_credits integer check (unlock_credits >= 0),
  unlock_reason text check (unlock_reason in ('insufficient_credits', 'encrypted_pdf', 'no_text', 'conversion_failed')),
  created_at timestamptz not null,
  finished_at timestamptz,
  foreign key (account_id, import_id) references imports (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id),
  unique (import_id, index),
  check ((status in ('filed', 'failed')) = (finished_at is not null)),
  check ((status = 'failed') = (reason is not null)),
  check ((status = 'filed') = (document_id is not null)),
  check (status in ('queued', 'running') or (reserved_bytes = 0 and sealed_link is null)),
  check (status = 'filed' or not duplicate),
  check ((unlock_status is null) = (unlock_credits is null)),
  check (unlock_status = 'failed' or unlock_reason is null)
);
create index import_items_in_order on import_items (import_id, id);
create index import_items_reserving on import_items (account_id) where status in ('queued', 'running');

-- The same file is the same document: by its bytes, or by its id and revision in the drive.
create table imported_files (
  account_id uuid not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  document_id uuid not null,
  bytes bigint not null check (bytes > 0),
  pages integer not null check (pages > 0),
  primary key (account_id, sha256),
  unique (account_id, document_id),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create table imported_drive_files (
  account_id uuid not null,
  drive_file_id text not null,
  revision text not null,
  sha256 bytea not null,
  primary key (account_id, drive_file_id, revision),
  foreign key (account_id, sha256) references imported_files (account_id, sha256)
);

-- What an account has used of its plan in the current UTC day and month. Its lock also makes the filing of an account's
-- files one after the other, so that two that are the same meet.
create table import_usage (
  account_id uuid primary key references accounts,
  -- Days and months since the epoch.
  day integer not null,
  day_files bigint not null check (day_files >= 0),
  month integer not null,
  month_bytes bigint not null check (month_bytes >= 0)
);

-- An idempotency key whose request takes longer than a transaction may: held by a lease while it runs, replaced by the
-- stored answer when it ends. One that was cut off leaves what it began, for its repetition to carry on with.
create table idempotency_leases (
  account_id uuid not null references accounts,
  endpoint text not null,
  key text not null,
  request_sha256 bytea not null check (octet_length(request_sha256) = 32),
  lease_id uuid not null,
  leased_until timestamptz not null,
  begun_id uuid,
  created_at timestamptz not null,
  primary key (account_id, endpoint, key)
);
create index idempotency_leases_by_age on idempotency_leases (created_at);
