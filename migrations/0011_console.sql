-- Signing in: people by their e-mail address, what proves who they are, and the browsers they are signed in with. A
-- person may be a member of several companies, or of none: a recipient who proves an address to sign with it.

create table people (
  id uuid primary key,
  email text not null check (char_length(email) <= 254),
  -- Argon2id, with its parameters and salt.
  password_hash text,
  -- Encrypted with a key made from SECRET_KEY: authenticators share it.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- A code counts once: that of this step and of all before have been used.
  totp_last_step bigint,
  created_at timestamptz not null,
  check (totp_confirmed_at is null or totp_secret is not null)
);
create unique index people_by_email on people (lower(email));
create index members_by_person on members (lower(email));

-- A one-time link signs in whoever opens it first. Only its hash is kept.
create table sign_in_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  person_id uuid not null references people,
  purpose text not null check (purpose in ('operator', 'email', 'invitation', 'signing')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check (expires_at > created_at)
);
create index sign_in_links_by_person on sign_in_links (person_id);
create index sign_in_links_by_end on sign_in_links (expires_at);

-- A browser holds 256 random bits in a cookie; only their hash is kept.
create table sessions (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  person_id uuid not null references people,
  -- The company that is worked in. Membership is asked for on every request.
  account_id uuid references accounts,
  stage text not null check (stage in ('second_factor', 'open')),
  method text not null check (method in ('password', 'link', 'passkey')),
  ip text not null,
  user_agent text,
  signed_in_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  check (expires_at > signed_in_at)
);
create index sessions_by_person on sessions (person_id, id desc);
create index sessions_by_end on sessions (expires_at);

create table recovery_codes (
  person_id uuid not null references people,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (person_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  person_id uuid not null references people,
  -- As the browser names it: base64url.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_person on passkeys (person_id, id);

-- What a browser was given to sign with a passkey: each answers once.
create table passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  -- Whose passkey is registered with it. Null: it signs in.
  person_id uuid references people,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

-- Tries at what can be guessed, by whom and at whom, over all processes. Addresses are hashed.
create table guess_counters (
  bucket text primary key,
  tries integer not null check (tries > 0),
  ends_at timestamptz not null
);
create index guess_counters_by_end on guess_counters (ends_at);

-- What people did to a company's settings, and to what proves who they are.
create table account_audit_entries (
  id uuid primary key,
  account_id uuid references accounts,
  person_id uuid references people,
  at timestamptz not null,
  action text not null,
  detail jsonb not null
);
create index account_audit_entries_by_account on account_audit_entries (account_id, id desc);
create index account_audit_entries_by_person on account_audit_entries (person_id, id desc);
create trigger account_audit_entries_append_only before update or delete on account_audit_entries
  for each row execute function refuse_change();
create trigger account_audit_entries_no_truncate before truncate on account_audit_entries
  for each statement execute function refuse_change();
