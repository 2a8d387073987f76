-- When the owners of a company were told by e-mail that they have to connect the e-signature vendor again.
alter table esign_connections add column owners_asked_at timestamptz;
