-- The page (from 1) of the attached file that would look different in the sealed PDF. Null: nothing stopped the seal.
alter table documents add column seal_changed_page integer check (seal_changed_page > 0);

-- Whether the attached file is embedded as it is, because an operator chose so after the seal was stopped.
alter table documents add column seal_embeds_file boolean not null default false;
