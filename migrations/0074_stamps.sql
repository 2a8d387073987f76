-- Stamps: the picture of a company's stamp or seal that a signer uploads. It is shown in every field where it was placed.
alter table document_fields
  drop constraint document_fields_type_check,
  add constraint document_fields_type_check
    check (type in ('signature', 'initials', 'stamp', 'date', 'text', 'checkbox', 'number', 'dropdown', 'radio'));

alter table recipients add column stamp_png bytea;
