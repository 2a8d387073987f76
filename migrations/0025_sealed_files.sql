-- What was recorded of each file when it was sealed, so that /verify finds its seal without searching for it. Documents
-- sealed before this table existed have no row: documents.sealed_file still names the SHA-256 of their file.

create table sealed_files (
  document_id uuid primary key,
  account_id uuid not null,
  -- Of the whole file.
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  bytes bigint not null check (bytes > 0),
  -- Offset and length of what the seal covers before and after its own bytes.
  byte_range bigint[] not null check (array_length(byte_range, 1) = 4),
  -- Over the bytes that the seal covers: what its signature names.
  signed_digest bytea not null check (octet_length(signed_digest) between 32 and 64),
  foreign key (account_id, document_id) references documents (account_id, id)
);
