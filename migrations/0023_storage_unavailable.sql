-- A file that our own store or disk could not take.
alter table import_items drop constraint import_items_reason_check;
alter table import_items add constraint import_items_reason_check check (reason in (
  'unsupported_type', 'too_large', 'export_too_large', 'not_found', 'permission_denied', 'link_expired',
  'download_failed', 'invalid_pdf', 'source_unavailable', 'storage_unavailable', 'interrupted'
));
