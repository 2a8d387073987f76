-- Filters of the document list that a member saved under a name. They go with the membership.
create table saved_views (
  member_id uuid not null references members on delete cascade,
  account_id uuid not null references accounts,
  name text not null check (char_length(name) between 1 and 60),
  -- The query of the list's address.
  search text not null check (char_length(search) <= 2000),
  primary key (member_id, name)
);
