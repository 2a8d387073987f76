-- The SHA-256 of the random name that a page gave itself when it used this code. If the answer is lost, the same page may use the
-- code once more.
alter table verification_codes add column used_by bytea check (octet_length(used_by) = 32);
