-- The SHA-256 of the newest store link that led to a file, so that another import of the link needs no free storage. Null for other
-- files, and for those imported before this migration.
alter table imported_files add column link_sha256 bytea check (octet_length(link_sha256) = 32);
