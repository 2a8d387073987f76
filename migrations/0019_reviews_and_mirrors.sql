-- Why a document came back from internal review, beside the entry of its audit trail that tells of it: the trail goes to
-- the parties with the sealed PDF, and this is for members alone.
create table review_notes (
  document_id uuid not null,
  seq integer not null,
  account_id uuid not null,
  note text not null check (char_length(note) between 1 and 1000),
  primary key (document_id, seq),
  foreign key (document_id, seq) references audit_entries,
  foreign key (account_id, document_id) references documents (account_id, id)
);
create trigger review_notes_append_only before update or delete on review_notes
  for each row execute function refuse_change();
create trigger review_notes_no_truncate before truncate on review_notes
  for each statement execute function refuse_change();

-- The mirrors of a document, the newest first: they are few, and each document that is looked at asks for its own.
create index documents_mirrors on documents (account_id, mirrors_document_id, id desc)
  where mirrors_document_id is not null;
