-- Deleting a document, an imported file or an API key looked through the rows that may refer to it, of one company or of all.
create index import_items_by_document on import_items (account_id, document_id) where document_id is not null;
create index credit_entries_by_document on credit_entries (account_id, document_id) where document_id is not null;
create index imported_drive_files_by_file on imported_drive_files (account_id, sha256);
create index imports_by_key on imports (api_key_id) where api_key_id is not null;

-- Erasing a person looked through the audit log of all companies for entries that name them. The key of an address is its local
-- part. Addresses that are not ASCII alone share one key: only the code can compare them.
create function email_key(address text) returns text language sql immutable parallel safe
  return case when address ~ '[^ -~]' then '' else lower(regexp_replace(btrim(address), '@[^@]*$', '') collate "C") end;
create index account_audit_entries_by_email on account_audit_entries (email_key(detail ->> 'email')) where detail ? 'email';
create index account_audit_entries_by_member on account_audit_entries ((detail ->> 'member_id')) where detail ? 'member_id';
