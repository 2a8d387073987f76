-- Reminders. A request begins a series, each reminder of the schedule takes it one step further. What was sent by hand
-- stands beside the series: it has no step, and may repeat.
alter table messages
  drop constraint messages_kind_check,
  drop constraint messages_recipient_id_kind_key,
  add column step smallint default 0 check (step >= 0),
  -- The next step was taken, or none ever will be: the recipient or the document is done.
  add column followed boolean not null default false,
  add check (kind in ('signature_request', 'reminder', 'completed_copy')),
  add check (kind = 'reminder' or step is not distinct from 0),
  add check (kind <> 'reminder' or step <> 0),
  -- Nobody gets a message twice, nor a step.
  add unique (recipient_id, kind, step);
-- What awaits its next step, the longest first. A wait begins when the message before has left (or was given up).
create index messages_to_follow on messages (step, settled_at)
  where settled_at is not null and not followed and kind <> 'completed_copy' and step is not null;
