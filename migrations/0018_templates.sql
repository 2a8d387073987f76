-- What the console lists as templates: they are documents that are never sent, few among many.
create index documents_templates on documents (account_id, id desc)
  where is_template and status <> 'voided' and restricted_kind is null;
