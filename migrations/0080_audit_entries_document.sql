-- Each entry was compared with its company and with its document. One comparison with both says more, and costs a change of a
-- document less. The entries that exist have passed the two.
alter table audit_entries
  drop constraint audit_entries_account_id_fkey,
  drop constraint audit_entries_document_id_fkey,
  add constraint audit_entries_document_fkey foreign key (account_id, document_id)
    references documents (account_id, id) not valid;
