-- Lists of people of a company who get a copy of completed documents. The console adds them to a document as cc recipients.

create table cc_lists (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  -- The name as it is compared, so that no two names differ in case only.
  name_key text not null check (name_key <> ''),
  -- Whether the form for new documents in the console begins with its people.
  is_default boolean not null,
  -- Counts the changes, so that nobody overwrites what they have not seen.
  version integer not null check (version > 0),
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

-- A list may become empty when a person is erased.
create table cc_list_people (
  account_id uuid not null,
  list_id uuid not null,
  position integer not null check (position >= 0),
  name text not null check (char_length(name) between 1 and 120),
  email text not null check (char_length(email) between 3 and 254),
  canonical_email text not null,
  primary key (account_id, list_id, position),
  unique (account_id, list_id, canonical_email),
  foreign key (account_id, list_id) references cc_lists (account_id, id) on delete cascade
);
