-- How an endpoint answered last, for the share of the sending slots that it gets: `unknown` before its first attempt,
-- `promptly` for any answer or failure that took little time, `slowly` for what kept a slot waiting.
alter table webhook_endpoints add column answers text not null default 'unknown'
  check (answers in ('unknown', 'promptly', 'slowly'));
update webhook_endpoints set answers = 'promptly' where failing_since is null;
