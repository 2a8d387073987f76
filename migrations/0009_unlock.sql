-- Unlocking: documents of blocks made from flat PDFs, and the credits that pay for it.

create table document_unlocks (
  document_id uuid primary key,
  account_id uuid not null,
  -- The file it is of: one that is attached later is not unlocked.
  source_sha256 bytea not null check (octet_length(source_sha256) = 32),
  status text not null check (status in ('unlocked', 'pending', 'skipped', 'failed')),
  reason text check (reason in ('insufficient_credits', 'encrypted_pdf', 'no_text', 'conversion_failed')),
  -- A file that takes its process down again and again is given up.
  attempts smallint not null default 0 check (attempts >= 0),
  pages integer check (pages > 0),
  credits integer not null default 0 check (credits >= 0),
  -- Its pages, in the file store.
  sha256 bytea references stored_files,
  requested_at timestamptz not null,
  finished_at timestamptz,
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((status = 'unlocked') = (sha256 is not null)),
  check ((status = 'unlocked') = (pages is not null)),
  check ((status in ('skipped', 'failed')) = (reason is not null)),
  check ((status = 'pending') = (finished_at is null)),
  check (credits = 0 or status = 'unlocked')
);
create index document_unlocks_pending on document_unlocks (requested_at) where status = 'pending';
create index document_unlocks_by_content on document_unlocks (sha256) where sha256 is not null;

-- What of the plan's monthly credits an account was given: in which month since the epoch, and how many.
alter table accounts
  add column credits_month integer,
  add column credits_granted bigint not null default 0 check (credits_granted >= 0);

-- The entries of an account are numbered without a gap, under the lock of its balance: their order is certain.
alter table credit_entries add column number integer;
update credit_entries e set number = numbered.number
from (select id, row_number() over (partition by account_id order by id) as number from credit_entries) numbered
where e.id = numbered.id;
alter table credit_entries
  alter column number set not null,
  add check (number > 0),
  add unique (account_id, number);
drop index credit_entries_by_account;

-- What was paid for: each file of a document once.
alter table credit_entries
  add column document_id uuid,
  add column source_sha256 bytea,
  add foreign key (account_id, document_id) references documents (account_id, id),
  add check ((document_id is null) = (source_sha256 is null)),
  add check (amount > 0 or document_id is not null);
create unique index credit_entries_paid_once on credit_entries (document_id, source_sha256) where amount < 0;

-- Unlocking is skipped for want of credits, and the item says so.
alter table import_items
  drop constraint import_items_check6,
  add constraint import_items_unlock_reason check (unlock_status in ('failed', 'skipped') or unlock_reason is null);
create index import_items_unlocking on import_items (document_id) where unlock_status = 'pending';
