-- How a company asks recipients to agree to electronic records, and what it prints on sealed PDFs.

alter table accounts
  -- Whether recipients must tick a box before they can sign.
  add column asks_consent boolean not null default false,
  -- Whom to ask for printed copies, and what they cost.
  add column copies_contact text check (char_length(copies_contact) between 1 and 200),
  add column copies_cost text check (char_length(copies_cost) between 1 and 200),
  -- Whether the id of the document is printed on every page of a sealed PDF.
  add column prints_document_id boolean not null default false;

-- As the company had set it when the document was sent, so that all recipients agree to the same text.
alter table documents
  add column asks_consent boolean not null default false,
  add column copies_contact text check (char_length(copies_contact) between 1 and 200),
  add column copies_cost text check (char_length(copies_cost) between 1 and 200);
