-- The link that a first start prints is told apart from those that an operator makes: it is held to narrower rules.
alter table sign_in_links drop constraint sign_in_links_purpose_check;
alter table sign_in_links add constraint sign_in_links_purpose_check
  check (purpose in ('operator', 'demo', 'email', 'invitation', 'signing'));
