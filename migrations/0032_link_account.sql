alter table sign_in_links
  -- The company that the link opens. Null: the first that its person is a member of.
  add column account_id uuid references accounts;
