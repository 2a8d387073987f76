-- Who runs the service, what they did on the operator's page, and how much each company stores.

create table operators (
  person_id uuid primary key references people,
  -- An authenticator or passkey that is newer doesn't open the operator's page.
  added_at timestamptz not null
);

create table operator_log (
  id uuid primary key,
  at timestamptz not null,
  -- Null: someone on the command line.
  person_id uuid references people,
  action text not null,
  account_id uuid references accounts,
  detail jsonb not null,
  -- Drawn by the page, so that a change that is sent twice is made once.
  request_id uuid unique
);
create trigger operator_log_append_only before update or delete on operator_log
  for each row execute function refuse_change();
create trigger operator_log_no_truncate before truncate on operator_log
  for each statement execute function refuse_change();

-- What the files of each company's documents came to when they were measured last.
create table account_storage (
  account_id uuid primary key references accounts,
  files bigint not null check (files >= 0),
  bytes bigint not null check (bytes >= 0),
  measured_at timestamptz not null
);
create index account_storage_by_bytes on account_storage (bytes desc, account_id desc);

-- One row: the files of the store, each once.
create table storage_totals (
  is_only boolean primary key default true check (is_only),
  files bigint not null check (files >= 0),
  bytes bigint not null check (bytes >= 0),
  measured_at timestamptz not null
);

-- Documents whose seal was stopped, which are few.
create index documents_stopped on documents (id) where seal_changed_page is not null;
