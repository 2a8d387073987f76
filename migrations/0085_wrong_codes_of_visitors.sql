-- The wrong codes that were entered. `tries` also counts right ones, and one may be entered twice.
alter table public_link_visits add column wrong_tries integer not null default 0 check (wrong_tries between 0 and 5);
update public_link_visits set wrong_tries = tries where document_id is null;
