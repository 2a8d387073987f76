-- Companies and people are erased. What stays of an audit trail can still be checked.

alter table accounts
  add column erase_requested_at timestamptz,
  add column erased_at timestamptz,
  add check (erase_requested_at is null or removed_at is not null),
  add check (erased_at is null or erase_requested_at is not null);
create index accounts_to_erase on accounts (erase_requested_at) where erase_requested_at is not null and erased_at is null;

-- A sealed document whose file was erased has no file. Its hashes stay in sealed_files.
do $$
declare
  name text;
begin
  select conname into strict name from pg_constraint
  where conrelid = 'documents'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) = 'CHECK (((sealed_at IS NULL) = (sealed_file IS NULL)))';
  execute format('alter table documents drop constraint %I', name);
end $$;
alter table documents add check (sealed_file is null or sealed_at is not null);

-- When personal details were removed. The hash is that of the whole entry; a later entry has a hash of what is left.
alter table audit_entries add column erased_at timestamptz;

-- Append-only, except that a transaction that says so erases: it deletes rows, or removes details and nothing else.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and current_setting('countersign.erasing', true) = 'on' then
    if tg_op = 'DELETE' then
      return old;
    end if;
    if to_jsonb(new) - array['detail', 'note', 'erased_at'] = to_jsonb(old) - array['detail', 'note', 'erased_at'] then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
