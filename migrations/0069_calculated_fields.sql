-- Number fields whose value is calculated from other number fields of the document, such as '{0} * {1} * 1.21'. The numbers in
-- braces are positions of fields.
alter table document_fields
  add column formula text check (char_length(formula) between 1 and 500),
  add constraint document_fields_calculated_check check (
    formula is null
    or (type = 'number' and not is_fixed and number_min is null and number_max is null)
  );
