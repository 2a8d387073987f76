-- The sites of a company's own that may show its signing pages in a frame, as origins (https://app.example.com). Nobody else may,
-- and without any, nobody may.
alter table accounts add column embed_origins text[] not null default '{}'
  check (cardinality(embed_origins) <= 20 and array_position(embed_origins, null) is null);
