-- Files that recipients attach to fields of the type `upload`. The value of such a field is the name of its file.
alter table document_fields
  drop constraint document_fields_type_check,
  add constraint document_fields_type_check check (type in (
    'signature', 'initials', 'stamp', 'date', 'text', 'checkbox', 'number', 'dropdown', 'radio', 'upload'
  )),
  drop constraint document_fields_value_check,
  add constraint document_fields_value_check check (case type
    when 'checkbox' then value in ('true', 'false')
    when 'date' then value ~ '^\d{4}-\d\d-\d\d$'
    when 'text' then char_length(value) between 1 and 500
    -- '-' takes the place of an erased number.
    when 'number' then value ~ '^(-|-?(0|[1-9]\d{0,14})(\.\d{1,6})?)$'
    when 'dropdown' then char_length(value) between 1 and 100
    when 'upload' then char_length(value) between 1 and 120
    else value = 'true'
  end);

create table field_files (
  -- Without cascades: a transaction that deletes a field or a recipient releases these files first.
  field_id uuid primary key references document_fields,
  account_id uuid not null,
  document_id uuid not null,
  recipient_id uuid not null references recipients,
  -- A file that replaces another one has another id.
  id uuid not null unique,
  sha256 bytea not null references stored_files,
  name text not null check (char_length(name) between 1 and 120),
  media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  uploaded_at timestamptz not null,
  -- When the recipient signed with it; before that it is only kept for them, for some days.
  signed_at timestamptz,
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index field_files_by_document on field_files (document_id);
create index field_files_by_recipient on field_files (recipient_id);
create index field_files_by_content on field_files (sha256, account_id);
create index field_files_pending on field_files (uploaded_at) where signed_at is null;
