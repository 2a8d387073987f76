-- What the console shows of an account's use: the API requests of the last seven days, and thirty days as numbers.

-- A row is what one process answered an account within a second, a line for each request: a row for each would cost every
-- request more than its own work may. Their ids are UUIDv7 with zeros at the end, where the number of a line goes.
create table request_log (
  account_id uuid not null references accounts,
  id uuid not null,
  requests integer not null check (requests > 0),
  -- Tabs between: milliseconds since the epoch, key, request id, method, status, code or nothing, microseconds, path.
  lines text not null,
  primary key (account_id, id)
);

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
