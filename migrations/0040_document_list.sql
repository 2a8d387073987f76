-- Sorts documents by their last change, and finds those that someone sent.
create index documents_by_change on documents (account_id, updated_at desc, id desc)
  where not is_template and restricted_kind is null;
create index audit_entries_by_sender on audit_entries (account_id, actor, document_id desc) where action = 'sent';
