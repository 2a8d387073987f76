-- What the value of a text field must be: `email`, `phone`, `digits` or a pattern such as `AA-9999`. Null: any text.
alter table document_fields
  add column text_format text,
  add constraint document_fields_text_format_check check (
    text_format is null or (type = 'text' and char_length(text_format) between 1 and 50)
  );
