-- What became of an import's files is looked at by outcome: among hundreds of thousands those that are meant may be few.
create index import_items_filed on import_items (import_id, id) where status = 'filed';
create index import_items_open on import_items (import_id, id) where status in ('queued', 'running');
