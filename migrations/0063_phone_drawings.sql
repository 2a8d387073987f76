-- Signatures drawn on a phone for a signing page that is open on another screen. Each is one visit: the page shows a code, the
-- phone opens its address once and draws, and the page fetches the drawing. Nothing here is proof of a signature: that is what
-- the recipient sends with `Sign`, so rows are removed soon after they expire.

create table phone_drawings (
  recipient_id uuid not null references recipients,
  -- A new code replaces the last one for the same mark.
  mark text not null check (mark in ('signature', 'initials')),
  id uuid not null,
  -- The recipient's holder who asked: the code ends when somebody else takes the place.
  holder smallint not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  drawn_at timestamptz,
  png bytea check (octet_length(png) between 1 and 204800),
  primary key (recipient_id, mark),
  check (expires_at > created_at),
  check ((png is null) = (drawn_at is null))
);
create index phone_drawings_by_end on phone_drawings (expires_at);
