-- Files attached to documents, and the fields that recipients fill in on their pages.

-- One row per content, whoever attached it: its bytes are in the file store under sha256/ab/cdef….
create table stored_files (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  bytes bigint not null check (bytes > 0),
  reference_count integer not null default 0 check (reference_count >= 0),
  created_at timestamptz not null,
  -- Renewed whenever somebody is about to store it: what is put is not removed before it can be referred to.
  unreferenced_at timestamptz,
  -- Set while its bytes are being removed: until they are, nobody may count on them.
  removal_began_at timestamptz,
  check ((reference_count = 0) = (unreferenced_at is not null)),
  check (removal_began_at is null or reference_count = 0)
);
create index stored_files_unreferenced on stored_files (unreferenced_at) where reference_count = 0;
-- A sealed PDF that is attached to another document is one file with it.
create index documents_by_sealed_file on documents (sealed_file) where sealed_file is not null;

create table document_files (
  document_id uuid primary key,
  account_id uuid not null,
  sha256 bytea not null references stored_files,
  name text not null check (char_length(name) between 1 and 255),
  page_count integer not null check (page_count > 0),
  -- [[width, height], …] of each page as shown, in points.
  pages jsonb not null check (jsonb_array_length(pages) = page_count),
  -- Bears signatures already, which sealing must leave valid.
  is_signed boolean not null,
  attached_at timestamptz not null,
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index document_files_by_content on document_files (sha256, account_id);

-- Where a recipient fills something in. Positions are in points from the top left corner of the page as shown.
create table document_fields (
  id uuid primary key,
  account_id uuid not null,
  document_id uuid not null references document_files,
  recipient_id uuid not null references recipients on delete cascade,
  position smallint not null check (position >= 0),
  type text not null check (type in ('signature', 'initials', 'date', 'text', 'checkbox')),
  page integer not null check (page > 0),
  x double precision not null check (x >= 0),
  y double precision not null check (y >= 0),
  width double precision not null check (width > 0),
  height double precision not null check (height > 0),
  required boolean not null,
  label text check (char_length(label) between 1 and 100),
  value text,
  -- When the recipient signed with it; before that it is only kept for them.
  filled_at timestamptz,
  foreign key (account_id, document_id) references documents (account_id, id),
  unique (document_id, position),
  check (filled_at is null or value is not null),
  check (case type
    when 'checkbox' then value in ('true', 'false')
    when 'date' then value ~ '^\d{4}-\d\d-\d\d$'
    when 'text' then char_length(value) between 1 and 500
    else value = 'true'
  end)
);
create index document_fields_by_recipient on document_fields (recipient_id);

-- What stands in a signer's fields for initials.
alter table recipients
  add column initials_text text check (char_length(initials_text) between 1 and 10),
  add column initials_png bytea;
