-- Values that the sender gives, numbers, drop-down lists, radio buttons, and fields that depend on others.
alter table document_fields
  -- What the field holds before the recipient changes it. With is_fixed, the recipient cannot change it.
  add column preset text check (char_length(preset) between 1 and 500),
  add column is_fixed boolean not null default false,
  -- Numbers: decimals as text, because they are compared and printed exactly as the sender gave them.
  add column number_min text check (number_min ~ '^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$'),
  add column number_max text check (number_max ~ '^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$'),
  add column decimals smallint check (decimals between 0 and 6),
  -- Drop-down: ["Monthly", …].
  add column options jsonb check (jsonb_array_length(options) between 2 and 100),
  -- Radio buttons: one of those with this name is chosen.
  add column group_name text check (char_length(group_name) between 1 and 100),
  -- The field is shown while the field of the same recipient at this position has this value.
  add column condition_position smallint check (condition_position >= 0),
  add column condition_value text check (char_length(condition_value) between 1 and 100),
  add constraint document_fields_condition_check check ((condition_position is null) = (condition_value is null)),
  add constraint document_fields_group_check check ((group_name is not null) = (type = 'radio')),
  add constraint document_fields_fixed_check check (preset is not null or not is_fixed),
  drop constraint document_fields_type_check,
  add constraint document_fields_type_check
    check (type in ('signature', 'initials', 'date', 'text', 'checkbox', 'number', 'dropdown', 'radio')),
  drop constraint document_fields_check1,
  add constraint document_fields_value_check check (case type
    when 'checkbox' then value in ('true', 'false')
    when 'date' then value ~ '^\d{4}-\d\d-\d\d$'
    when 'text' then char_length(value) between 1 and 500
    -- '-' takes the place of an erased number.
    when 'number' then value ~ '^(-|-?(0|[1-9]\d{0,14})(\.\d{1,6})?)$'
    when 'dropdown' then char_length(value) between 1 and 100
    else value = 'true'
  end);
