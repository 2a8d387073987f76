-- The browsers a person has signed in with. A sign-in with any other browser is announced to them by e-mail.
create table known_browsers (
  person_id uuid not null references people,
  -- The browser holds 256 random bits in a cookie; only their hash is kept.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (person_id, token_hash)
);
create index known_browsers_by_token on known_browsers (token_hash);
create index known_browsers_by_use on known_browsers (last_seen_at);

alter table sessions
  -- When the person last proved who they are without signing in anew. Null: when they signed in.
  add column confirmed_at timestamptz,
  -- Which of the known browsers it is. Null: it signed in before browsers were recorded.
  add column browser_hash bytea check (octet_length(browser_hash) = 32);
