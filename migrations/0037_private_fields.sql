-- A private field is shown to nobody but its recipient while others sign.
alter table document_fields add column is_private boolean not null default false;
