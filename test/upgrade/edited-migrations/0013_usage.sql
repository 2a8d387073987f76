-- What the console shows of an account's use: the API requests of the last seven days, and thirty days as numbers.

-- Written in batches, a second after the answer. There is no foreign key: each would cost every request a look-up, and what
-- the rows name is there, for accounts and keys are never deleted. Ids are UUIDv7: they say when.
create table request_log (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  request_id text not null,
  method text not null,
  -- Without its query, and without what may be a secret.
  path text not null check (char_length(path) <= 200),
  status smallint not null check (status between 100 and 599),
  code text,
  duration_us integer not null check (duration_us >= 0),
  primary key (account_id, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.5);

create table usage_days (
  account_id uuid not null references accounts,
  -- Since the epoch, in UTC.
  day integer not null,
  requests bigint not null default 0 check (requests >= 0),
  -- Of these: answered 4xx, and 5xx.
  refused bigint not null default 0 check (refused >= 0),
  failed bigint not null default 0 check (failed >= 0),
  import_files bigint not null default 0 check (import_files >= 0),
  import_bytes bigint not null default 0 check (import_bytes >= 0),
  primary key (account_id, day),
  check (refused + failed <= requests)
) with (fillfactor = 50);

-- The papers that only owners and admins see, the newest first.
create index documents_restricted on documents (account_id, id desc) where restricted_kind is not null;
