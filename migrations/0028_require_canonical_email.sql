drop index people_by_email;
drop index members_by_email;
drop index members_by_person;
alter table people alter column canonical_email set not null;
alter table members alter column canonical_email set not null;
create unique index people_by_canonical_email on people (canonical_email);
create unique index members_by_canonical_email on members (account_id, canonical_email);
create index members_by_person on members (canonical_email);
