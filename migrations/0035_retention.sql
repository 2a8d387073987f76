-- Old events, deliveries and messages are removed in batches.

-- Events are removed after their deliveries. To check this constraint, each removed event would read all deliveries: the
-- indexes on event_id are partial. `enqueue-events.ts` locks the events that it delivers again.
alter table webhook_deliveries drop constraint webhook_deliveries_event_id_fkey;

-- Each removed delivery is looked up here.
create index webhook_deliveries_redeliveries on webhook_deliveries (redelivery_of) where redelivery_of is not null;

create index verification_codes_by_end on verification_codes (expires_at);
create index verifications_by_end on verifications (expires_at);

alter table stored_files
  -- When the last row that referred to it was deleted or got another file. Null: it is in use, or was never used.
  add column released_at timestamptz,
  add check (released_at is null or reference_count = 0);
