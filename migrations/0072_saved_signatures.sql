-- The signature and the initials that someone who signs in keeps for signing again. They belong to the person, whatever their
-- companies.

create table saved_signatures (
  -- Another one for each replacement, so that a page which still shows the former one does not sign with the new one.
  id uuid primary key,
  person_id uuid not null references people,
  mark text not null check (mark in ('signature', 'initials')),
  -- How it was made.
  kind text not null check (kind in ('typed', 'drawn', 'uploaded')),
  -- Encrypted: the text, or the picture as PNG in base64.
  content bytea not null check (octet_length(content) between 1 and 300000),
  saved_at timestamptz not null,
  unique (person_id, mark)
);
