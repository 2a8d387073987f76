-- Who started an import in the console: API keys start the others. And the files that did not land: among hundreds of
-- thousands they are few, and they are what people look for.
alter table imports
  add column started_by uuid references people,
  add check (started_by is null or api_key_id is null);
create index import_items_failed on import_items (import_id, id) where status = 'failed';
