-- How the value of a date field is written: null as it is stored, 2026-03-09. A date that is fixed without a value becomes the day
-- of signing.
alter table document_fields
  add column date_format text,
  add constraint document_fields_date_format_check check (
    date_format is null
    or (type = 'date' and date_format in
      ('YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY', 'D MMMM YYYY', 'MMMM D, YYYY'))
  ),
  drop constraint document_fields_fixed_check,
  add constraint document_fields_fixed_check check (preset is not null or not is_fixed or type = 'date');
