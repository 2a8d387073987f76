-- Finds documents by the beginning of their title. Compared by bytes, so that a range of the index holds a beginning.
create index documents_by_title on documents (account_id, (lower(title) collate "C"), id desc)
  where not is_template and restricted_kind is null;
