-- Migrations from the e-signature vendor: how far each has come, what it has found, and how an envelope is recognised.

-- Completed at the vendor: its PDF is the document's file, and nothing is left for this service to seal.
alter table documents
  add column is_migrated boolean not null default false,
  add check (not is_migrated or (completed_at is not null and sealed_at is null));
drop index documents_unsealed;
create index documents_unsealed on documents (completed_at)
  where completed_at is not null and sealed_at is null and not is_migrated;

-- Two sweeps of one connection would ask the vendor for everything twice.
create unique index imports_one_migration on imports (account_id) where source = 'esign_vendor' and status = 'running';
-- A migration has up to hundreds of thousands of open items, none of which holds room.
drop index import_items_reserving;
create index import_items_reserving on import_items (account_id)
  where status in ('queued', 'running') and reserved_bytes > 0;

create table esign_sweeps (
  import_id uuid primary key,
  account_id uuid not null,
  -- The vendor's account that was connected when it began. Of another nothing is brought in.
  vendor_account_id text not null,
  -- What was completed before is not wanted; before any envelope, when all are.
  earliest timestamptz not null,
  -- The next page: of the envelopes completed from this time on, in their order, so many on, where this one stood last.
  list_from timestamptz not null,
  list_position integer not null default 0 check (list_position >= 0),
  list_anchor text,
  -- The latest completion among the envelopes that were listed.
  newest timestamptz,
  -- How often the list was read to its end.
  looks smallint not null default 0 check (looks >= 0),
  is_listed boolean not null default false,
  -- When a page was listed or an envelope ended: one that comes no further for long is given up.
  progressed_at timestamptz not null,
  foreign key (account_id, import_id) references imports (account_id, id)
);

-- An envelope is one item of a sweep, however often it is listed.
create table esign_envelopes (
  import_id uuid not null references esign_sweeps,
  envelope_id text not null check (char_length(envelope_id) between 1 and 100),
  item_id uuid not null unique references import_items,
  -- What the list says of it, until its item has ended.
  envelope jsonb,
  primary key (import_id, envelope_id)
);

-- The same envelope is the same document.
create table imported_envelopes (
  account_id uuid not null,
  envelope_id text not null,
  document_id uuid not null,
  bytes bigint not null check (bytes > 0),
  pages integer not null check (pages > 0),
  primary key (account_id, envelope_id),
  unique (account_id, document_id),
  foreign key (account_id, document_id) references documents (account_id, id)
);
