-- What the certificate of completion shows to all recipients: contact details in full or masked, and IP addresses and devices
-- or only hashes of them.

alter table accounts
  add column masks_contacts boolean not null default false,
  add column shows_devices boolean not null default false;

-- As the company had set it when the document was sent. Null: it was sent before there was a choice, so that contact details
-- are masked without a hash, and IP addresses and devices are shown.
alter table documents
  add column masks_contacts boolean,
  add column shows_devices boolean;

-- 32 random bytes from which the salts of the masked contact details are made. Null: nothing is masked with a hash.
alter table recipients add column contact_salt bytea;

-- JSON: what an entry has only salted hashes of, with the salts.
alter table audit_entries add column openings text;

-- As before, but erasing removes openings too.
create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  erasable constant text[] := array['detail', 'openings', 'note', 'erased_at'];
begin
  if tg_level = 'ROW' and current_setting('countersign.erasing', true) = 'on' then
    if tg_op = 'DELETE' then
      return old;
    end if;
    if to_jsonb(new) - erasable = to_jsonb(old) - erasable then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
