-- When the owners were last told that an endpoint fails. They are told once in each streak of failures.
alter table webhook_endpoints add column warned_at timestamptz;
