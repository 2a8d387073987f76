-- Audit streams: each entry of a company's audit log is sent to one destination, a webhook or a syslog server.

create table audit_streams (
  account_id uuid primary key references accounts,
  kind text not null check (kind in ('webhook', 'syslog')),
  -- `https://…`, or `syslog+tls://host:port`. For development also `http://…` and `syslog+tcp://host:port`.
  url text not null check (char_length(url) <= 2048),
  -- Encrypted. Signs the requests of a webhook.
  secret bytea,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  paused_at timestamptz,
  -- The position: the last entry that the destination has accepted.
  last_entry_id uuid,
  last_sent_at timestamptz,
  sent_entries bigint not null default 0 check (sent_entries >= 0),
  -- Failures in a row.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  last_error text check (char_length(last_error) <= 500),
  -- When the owners were told of these failures.
  warned_at timestamptz,
  next_attempt_at timestamptz not null,
  lease_id uuid,
  leased_until timestamptz,
  check ((kind = 'webhook') = (secret is not null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((failures > 0) = (failing_since is not null)),
  check ((failures > 0) = (last_error is not null)),
  check ((last_entry_id is null) = (last_sent_at is null)),
  check ((lease_id is null) = (leased_until is null))
);

-- Entries that wait for the destination. A row commits with its entry, so none is missed, whatever the order of the commits.
-- Ids of entries, without a foreign key: entries are never deleted but with their company.
create table audit_stream_entries (
  account_id uuid not null references accounts,
  entry_id uuid not null,
  primary key (account_id, entry_id)
);

-- Notices about documents that a member does not want, as the sender.
alter table members
  add column notices_off text[] not null default '{}' check (
    notices_off <@ array['sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated']
  );
