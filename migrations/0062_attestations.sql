-- The service's signature over the audit entry of each signature, approval and refusal.

create table attestations (
  account_id uuid not null,
  document_id uuid not null,
  -- The number of the audit entry.
  entry integer not null check (entry > 0),
  -- No foreign key, or each removed recipient of a draft would be looked up here.
  recipient_id uuid not null,
  requested_at timestamptz not null,
  -- CMS over the hash of the entry. Null until a job has made it.
  cms bytea check (octet_length(cms) between 1 and 65536),
  primary key (account_id, document_id, entry),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index attestations_pending on attestations (requested_at) where cms is null;
