-- How a company looks to the recipients of its documents: logo, colour, sender of e-mails and their texts.

create table brands (
  account_id uuid primary key references accounts,
  -- Counts changes, so that one person's change never overwrites another's.
  version integer not null check (version >= 0),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- The name in front of "via Countersign" in the From header.
  sender_name text check (char_length(sender_name) between 1 and 60),
  reply_to text check (char_length(reply_to) between 3 and 254),
  -- Whether answers go to `reply_to` even when a member sent the document.
  always_reply_to boolean not null default false,
  logo bytea check (octet_length(logo) <= 614400),
  logo_type text check (logo_type in ('png', 'jpeg')),
  logo_sha256 bytea,
  logo_width integer,
  logo_height integer,
  check (num_nulls(logo, logo_type, logo_sha256, logo_width, logo_height) in (0, 5)),
  check (reply_to is not null or not always_reply_to)
);
-- Logos are served by their content. Two companies may have the same one.
create index brands_by_logo on brands (logo_sha256) where logo_sha256 is not null;

-- Texts that replace our own in e-mails to recipients. Null: our own.
create table brand_texts (
  account_id uuid not null references accounts,
  kind text not null check (kind in ('request', 'reminder', 'copy')),
  language text not null check (language in ('en', 'es')),
  subject text check (char_length(subject) between 1 and 150),
  introduction text check (char_length(introduction) between 1 and 600),
  primary key (account_id, kind, language),
  check (subject is not null or introduction is not null)
);
