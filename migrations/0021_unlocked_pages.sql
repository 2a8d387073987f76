-- What people change in unlocked documents, beside what was unlocked, and the PDFs made of them.

alter table document_unlocks
  -- Counts the changes of its text.
  add column version bigint not null default 0 check (version >= 0),
  -- The PDF that was made of it last, of which version, and the size of its pages as [[width, height], …] in points.
  add column rendered_sha256 bytea references stored_files,
  add column rendered_version bigint,
  add column rendered_pages jsonb,
  -- Such a PDF that has become the document's file. The one that was unlocked is then kept here, for its pictures.
  add column used_sha256 bytea check (octet_length(used_sha256) = 32),
  add check ((rendered_sha256 is null) = (rendered_version is null)),
  add check ((rendered_sha256 is null) = (rendered_pages is null)),
  add check (status = 'unlocked' or (rendered_sha256 is null and used_sha256 is null));
create index document_unlocks_by_rendered on document_unlocks (rendered_sha256) where rendered_sha256 is not null;
create index document_unlocks_by_used on document_unlocks (source_sha256) where used_sha256 is not null;

-- A page whose text was changed: all its blocks, as in blocks.ts. Where there is no row it is as it was unlocked.
create table unlocked_pages (
  document_id uuid not null references document_unlocks,
  account_id uuid not null,
  page integer not null check (page > 0),
  -- Of the document, when the page was last changed: a change that is based on another is refused.
  version bigint not null check (version > 0),
  blocks text not null check (octet_length(blocks) <= 4194304),
  changed_by uuid references people,
  changed_at timestamptz not null,
  primary key (document_id, page),
  foreign key (account_id, document_id) references documents (account_id, id)
);
