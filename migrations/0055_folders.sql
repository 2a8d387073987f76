-- Folders of a company: who sees and who changes the documents in them. Owners and admins see every folder.

create table folders (
  account_id uuid not null references accounts,
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 80),
  -- The name as it is compared, so that no two names differ in case only.
  name_key text not null check (name_key <> ''),
  -- Whether every member of the company is an editor.
  is_open boolean not null,
  created_at timestamptz not null,
  -- Deleted templates stay in their folder, so that it hides them for good. A removed folder has no members.
  removed_at timestamptz,
  unique (account_id, id),
  check (removed_at is null or not is_open)
);
create unique index folders_by_name on folders (account_id, name_key) where removed_at is null;

-- They go with the membership in the company. Owners and admins need none.
create table folder_members (
  account_id uuid not null,
  folder_id uuid not null,
  member_id uuid not null references members on delete cascade,
  role text not null check (role in ('viewer', 'editor')),
  created_at timestamptz not null,
  primary key (folder_id, member_id),
  foreign key (account_id, folder_id) references folders (account_id, id)
);
create index folder_members_by_member on folder_members (member_id);

-- No document is in a folder yet, so there is nothing to check.
alter table documents
  add column folder_id uuid,
  add constraint documents_folder_fkey foreign key (account_id, folder_id) references folders (account_id, id) not valid;
-- Documents without a folder, such as all that the API creates, are not in it.
create index documents_by_folder on documents (account_id, folder_id, id desc) where folder_id is not null;
