-- A company's own host name for its signing pages. Any number of companies may claim one, but only one has it at a time: the first
-- that proves it in DNS.

create table custom_domains (
  account_id uuid primary key references accounts,
  -- In lower case, with A-labels.
  host text not null check (char_length(host) between 4 and 253 and host = lower(host)),
  -- Belongs into a TXT record of the host.
  challenge text not null check (char_length(challenge) = 43),
  -- 'waiting': not proven yet. 'broken': the proof has been missing for too long.
  state text not null check (state in ('waiting', 'active', 'broken')),
  proven_by text check (proven_by in ('dns', 'operator')),
  created_at timestamptz not null,
  activated_at timestamptz,
  checked_at timestamptz,
  -- What the last check found wrong.
  problem text check (problem in ('record_missing', 'elsewhere', 'unavailable', 'taken')),
  -- Since when the proof of an active domain is missing.
  failing_since timestamptz,
  -- Null: no more checks but those that somebody asks for.
  next_check_at timestamptz,
  check ((state = 'waiting') = (activated_at is null)),
  check ((activated_at is null) = (proven_by is null)),
  check (failing_since is null or state <> 'waiting')
);
create unique index custom_domains_active on custom_domains (host) where state = 'active';
create index custom_domains_due on custom_domains (next_check_at) where next_check_at is not null;
