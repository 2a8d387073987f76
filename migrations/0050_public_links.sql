-- Public links: anyone who opens one proves an e-mail address and gets a document of their own from a template.

create table public_links (
  account_id uuid not null references accounts,
  id uuid not null,
  template_id uuid not null,
  -- The secret part of the address. A link is made to be published, and members see it again, so it is not hashed.
  token text not null unique check (char_length(token) = 22),
  -- Shown on its page. Null: the title of the template.
  name text check (char_length(name) between 1 and 200),
  language text not null check (language in ('en', 'es')),
  ends_at timestamptz,
  documents_max integer not null check (documents_max between 1 and 10000),
  -- The documents that were made. The maximum may be lowered below it.
  documents integer not null default 0 check (documents >= 0),
  one_per_email boolean not null,
  is_on boolean not null,
  -- In whose name documents are sent: who made, changed or switched on the link last.
  actor text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, template_id) references documents (account_id, id)
);
create index public_links_by_template on public_links (account_id, template_id, id desc);

create table public_link_documents (
  account_id uuid not null,
  document_id uuid not null,
  link_id uuid not null,
  -- The recipient who signs from the link.
  recipient_id uuid not null,
  -- SHA-256 of the link and the canonical address that was proven. Null when the recipient was erased.
  email_hash bytea check (octet_length(email_hash) = 32),
  primary key (account_id, document_id),
  foreign key (account_id, link_id) references public_links (account_id, id) on delete cascade,
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index public_link_documents_by_link on public_link_documents (account_id, link_id, document_id desc);
create index public_link_documents_by_email on public_link_documents (account_id, link_id, email_hash);

-- People who entered their name and address and were sent a code.
create table public_link_visits (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null,
  link_id uuid not null,
  -- Null once the document is made.
  name text,
  email text,
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries integer not null default 0 check (tries between 0 and 5),
  expires_at timestamptz not null,
  document_id uuid,
  foreign key (account_id, link_id) references public_links (account_id, id) on delete cascade,
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((document_id is null) = (name is not null)),
  check ((document_id is null) = (email is not null))
);
create index public_link_visits_by_end on public_link_visits (expires_at);
create index public_link_visits_by_link on public_link_visits (account_id, link_id);
create index public_link_visits_by_document on public_link_visits (account_id, document_id) where document_id is not null;
