-- Bulk sends: a template and a CSV file, and one document for each row.

create table bulk_sends (
  account_id uuid not null references accounts,
  id uuid not null,
  template_id uuid not null,
  -- The last audit entry of the template when the file was checked. Another version is never sent.
  template_version integer not null,
  -- Who uploaded the file, and in whose name its documents are sent.
  actor text not null,
  file_name text not null,
  -- The header of the file, and what each column fills in: '' for nothing.
  columns text[] not null,
  targets text[] not null,
  status text not null check (status in ('checked', 'running', 'done', 'cancelled', 'stopped')),
  stop_reason text check (stop_reason in ('template_changed', 'template_deleted', 'company_removed')),
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, template_id) references documents (account_id, id),
  check (cardinality(columns) = cardinality(targets)),
  check ((status = 'checked') = (started_at is null)),
  check ((status in ('done', 'cancelled', 'stopped')) = (ended_at is not null)),
  check ((status = 'stopped') = (stop_reason is not null))
);
create index bulk_sends_running on bulk_sends (account_id, id) where status = 'running';
create index bulk_sends_by_template on bulk_sends (account_id, template_id, id desc);
create index bulk_sends_by_end on bulk_sends ((coalesce(ended_at, created_at))) where status <> 'running';

create table bulk_send_rows (
  account_id uuid not null,
  bulk_send_id uuid not null,
  -- As spreadsheets number rows: the header is row 1.
  number integer not null check (number > 1),
  status text not null check (status in ('ready', 'faulty', 'sent', 'failed')),
  -- An array of texts. Null when personal data was erased.
  cells jsonb,
  -- [{ "column": index or null, "code": text }]
  faults jsonb not null default '[]',
  -- An earlier row with the same content.
  duplicate_of integer,
  document_id uuid,
  primary key (account_id, bulk_send_id, number),
  foreign key (account_id, bulk_send_id) references bulk_sends (account_id, id) on delete cascade,
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((status = 'sent') = (document_id is not null)),
  check (cells is not null or status <> 'ready')
);
create index bulk_send_rows_by_status on bulk_send_rows (account_id, bulk_send_id, status, number);
create unique index bulk_send_rows_by_document on bulk_send_rows (account_id, document_id) where document_id is not null;
