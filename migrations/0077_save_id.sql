-- The id that the editor gave the save. Null for pages that were last saved before there were ids.
alter table unlocked_pages add column save_id uuid;
