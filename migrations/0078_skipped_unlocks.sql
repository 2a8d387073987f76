-- An unlocking is skipped without a reason when its document has got another file meanwhile, or was voided.
alter table document_unlocks
  drop constraint document_unlocks_check2,
  add constraint document_unlocks_check2 check (
    case status when 'failed' then reason is not null when 'skipped' then true else reason is null end
  );
