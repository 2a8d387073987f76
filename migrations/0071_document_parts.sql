-- A document can have several files in an order. They are joined into one, which is its attached file. The rows here are the files
-- that it was joined from. A document with one file, or none, has no rows.

create table document_parts (
  -- Without a cascade: a transaction that deletes the attached file releases these files first.
  document_id uuid not null references document_files,
  account_id uuid not null,
  position smallint not null check (position between 1 and 20),
  -- The file as it was uploaded.
  sha256 bytea not null references stored_files,
  name text not null check (char_length(name) between 1 and 255),
  -- The page of the joined file on which it begins.
  first_page integer not null check (first_page > 0),
  page_count integer not null check (page_count > 0),
  primary key (document_id, position),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index document_parts_by_content on document_parts (sha256, account_id);
