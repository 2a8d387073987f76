-- The account at the e-signature vendor that a company brings its documents over from, and the way to connecting it.

create table esign_connections (
  -- One for each company: connecting again replaces it.
  account_id uuid primary key references accounts,
  id uuid not null unique,
  vendor_account_id text not null check (char_length(vendor_account_id) between 1 and 100),
  vendor_account_name text check (char_length(vendor_account_name) between 1 and 200),
  vendor_user_name text check (char_length(vendor_user_name) between 1 and 200),
  vendor_user_email text check (char_length(vendor_user_email) between 1 and 254),
  -- An origin: where the vendor keeps this account.
  base_uri text not null check (char_length(base_uri) between 1 and 300),
  -- Both encrypted with SECRET_KEY.
  access_token bytea not null,
  refresh_token bytea not null,
  access_token_ends_at timestamptz not null,
  -- Before it ends, so that nothing under way meets its end.
  refresh_due_at timestamptz not null,
  -- One more with each pair of tokens: of several that find one refused, the first replaces it.
  generation integer not null default 1 check (generation > 0),
  -- Who asks for new tokens just now. A process that died leaves a lease that ends.
  refresh_lease_id uuid,
  refresh_leased_until timestamptz,
  -- Since when the vendor takes the tokens no more: an owner has to connect again.
  refused_at timestamptz,
  connected_by uuid references people,
  connected_at timestamptz not null,
  refreshed_at timestamptz not null,
  check ((refresh_lease_id is null) = (refresh_leased_until is null)),
  check (refresh_due_at <= access_token_ends_at)
);

-- A consent asked for: it is given once, soon, in the browser and for the company that asked.
create table esign_authorizations (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  session_id uuid not null references sessions on delete cascade,
  account_id uuid not null references accounts,
  -- Encrypted with SECRET_KEY.
  code_verifier bytea not null,
  expires_at timestamptz not null
);
create index esign_authorizations_by_end on esign_authorizations (expires_at);
create index esign_authorizations_by_session on esign_authorizations (session_id);
