-- E-mail addresses are compared by their canonical form (src/world/canonical-email.ts) and by nothing else. lower() folds
-- letters that are not ASCII into ASCII, so two addresses could pass for one person.
-- An address in ASCII is canonical in lower case. src/postgres/fill-canonical-emails.ts fills in the others in this
-- transaction, and the next migration requires them all.
alter table people add column canonical_email text;
alter table members add column canonical_email text;
update people set canonical_email = lower(email collate "C") where octet_length(email) = char_length(email);
update members set canonical_email = lower(email collate "C") where octet_length(email) = char_length(email);
