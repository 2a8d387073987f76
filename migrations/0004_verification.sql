-- The codes sent by SMS to recipients of the auth_level l1_email_sms_otp, and the browsers that gave one back.

create table verification_codes (
  recipient_id uuid not null references recipients,
  -- Counts the codes of a recipient. The newest that did not fail is the one that opens.
  number integer not null check (number > 0),
  -- An HMAC with a key made from SECRET_KEY: a million hashes of six digits are no secret.
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The provider did not accept the message: as if the code had never been drawn.
  failed_at timestamptz,
  used_at timestamptz,
  primary key (recipient_id, number),
  check (expires_at > created_at),
  check (failed_at is null or used_at is null)
);

-- A browser that is verified holds 256 random bits in a cookie; only their hash is kept.
create table verifications (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  recipient_id uuid not null references recipients,
  verified_at timestamptz not null,
  expires_at timestamptz not null,
  check (expires_at > verified_at)
);
create index verifications_by_recipient on verifications (recipient_id);
