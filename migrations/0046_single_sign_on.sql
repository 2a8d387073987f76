-- Sign-in with the OpenID Connect provider of a company.

alter table accounts
  -- Members other than owners with two factors open the company with single sign-on only.
  add column requires_sso boolean not null default false;

create table sso_connections (
  account_id uuid primary key references accounts,
  -- In the company's sign-in link. Not secret.
  id uuid not null unique,
  -- Counts changes, so that one person's change never overwrites another's.
  version integer not null check (version > 0),
  issuer text not null check (char_length(issuer) between 1 and 500),
  client_id text not null check (char_length(client_id) between 1 and 300),
  -- Encrypted with SECRET_KEY.
  client_secret bytea not null,
  -- The claim with the groups of a person. Null: roles don't follow groups.
  role_claim text check (char_length(role_claim) between 1 and 200),
  -- The role of new people without a matching group. Null: only invited people sign in.
  default_role text check (default_role in ('admin', 'member')),
  created_at timestamptz not null,
  changed_at timestamptz not null
);

-- Which value of the claim gives which role. Nobody becomes an owner this way.
create table sso_roles (
  account_id uuid not null references sso_connections on delete cascade,
  value text not null check (char_length(value) between 1 and 200),
  role text not null check (role in ('admin', 'member')),
  primary key (account_id, value)
);

-- E-mail domains that a company says are its own. Any number of companies may claim one, but only one can prove it.
create table sso_domains (
  account_id uuid not null references accounts,
  -- In lower case, with A-labels.
  domain text not null check (char_length(domain) between 3 and 253 and domain = lower(domain)),
  -- Belongs into a TXT record of the domain.
  challenge text not null check (char_length(challenge) = 43),
  proven_at timestamptz,
  proven_by text check (proven_by in ('dns', 'operator')),
  created_at timestamptz not null,
  primary key (account_id, domain),
  check ((proven_at is null) = (proven_by is null))
);
create unique index sso_domains_proven on sso_domains (domain) where proven_at is not null;

-- Whom the provider of a company means with a subject. Bound at the first sign-in.
create table sso_identities (
  account_id uuid not null references accounts,
  issuer text not null check (char_length(issuer) between 1 and 500),
  subject text not null check (char_length(subject) between 1 and 255),
  person_id uuid not null references people,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (account_id, issuer, subject),
  unique (account_id, issuer, person_id)
);
create index sso_identities_by_person on sso_identities (person_id);

-- A sign-in that was started: it is completed once, soon, in the same browser.
create table sso_authorizations (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  account_id uuid not null references accounts,
  -- Of the settings that it was started with.
  connection_version integer not null,
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  -- PKCE code verifier and nonce, encrypted with SECRET_KEY.
  secrets bytea not null,
  -- A path of this service.
  return_to text not null check (char_length(return_to) <= 2000),
  expires_at timestamptz not null
);
create index sso_authorizations_by_account on sso_authorizations (account_id);
create index sso_authorizations_by_end on sso_authorizations (expires_at);

-- People who were removed from a company. Single sign-on doesn't add them again. An invitation does.
create table removed_members (
  account_id uuid not null references accounts,
  canonical_email text not null check (char_length(canonical_email) <= 600),
  removed_at timestamptz not null,
  primary key (account_id, canonical_email)
);
create index removed_members_by_email on removed_members (canonical_email);

alter table sessions
  -- The company whose provider vouched for the person. The session opens this company only. Null: the person signed in
  -- with proofs of their own.
  add column only_account_id uuid references accounts,
  drop constraint sessions_method_check,
  add constraint sessions_method_check check (method in ('password', 'link', 'passkey', 'sso')),
  add check ((method = 'sso') = (only_account_id is not null)),
  add check (only_account_id is null or (account_id is not null and only_account_id = account_id));
create index sessions_by_sso_account on sessions (only_account_id) where only_account_id is not null;

alter table known_browsers
  -- Whether the person signed in with it by proofs of their own. What a company's provider says makes no browser known to others.
  add column is_own boolean not null default true;
