-- The request log by the day of its ids, so that a day that is too old is dropped at once instead of being deleted row by row. Workers
-- add days ahead. The partitions have a schema of their own, which keeps them out of lists of tables. Rows need no foreign key, which
-- each new day would have to lock the accounts for: a row is written by a join with its account, and accounts are never deleted.
create schema request_log_days;
alter table request_log set schema request_log_days;
alter table request_log_days.request_log rename to until_partitioned;
alter table request_log_days.until_partitioned drop constraint request_log_account_id_fkey;
create table request_log (like request_log_days.until_partitioned including all) partition by range (id);

-- What was written before stays one partition, which ends with the day of its newest row.
do $$
declare
  newest uuid := (select id from request_log_days.until_partitioned order by id desc limit 1);
  next_day bigint;
begin
  if newest is null then
    drop table request_log_days.until_partitioned;
    return;
  end if;
  next_day := (('x' || left(replace(newest::text, '-', ''), 12))::bit(48)::bigint / 86400000 + 1) * 86400000;
  execute format(
    'alter table request_log attach partition request_log_days.until_partitioned for values from (minvalue) to (%L)',
    lpad(to_hex(next_day), 12, '0') || '70008000000000000000');
end $$;

-- Rows of days that no worker has added yet.
create table request_log_days.other partition of request_log default;
