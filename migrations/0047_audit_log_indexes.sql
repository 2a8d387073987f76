-- The audit log of a company: entries about a person who belongs to it, and since when they opened it.

create index account_audit_entries_of_people on account_audit_entries (person_id, id desc) where account_id is null;
create index account_audit_entries_of_openings on account_audit_entries (account_id, person_id, id)
  where action in ('signed_in', 'company_opened');
