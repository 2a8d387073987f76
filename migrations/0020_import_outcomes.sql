-- What is still to come of an import is few at its end, among hundreds of thousands, and is looked for by pages and by
-- whoever goes on with it.
create index import_items_open on import_items (import_id, id) where status in ('queued', 'running');
