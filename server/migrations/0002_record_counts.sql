-- Totals are kept, not counted: a count of a large table on each view of the dashboard or a list
-- would grow with the data. Each noun has a running total (period -infinity) and one row for each
-- quarter of an hour in which records were made, so that 'this month' is exact in every time zone.
-- Several slots keep writers that run at once from waiting for one another's row.
create table record_counts (
  noun text not null,
  period timestamptz not null,
  slot smallint not null,
  records bigint not null,
  primary key (noun, period, slot)
);

create function add_record_counts(of_noun text, made_at timestamptz[], sign integer) returns void
  language sql as $$
  with changes as (
    select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') as period, count(*) as records
    from unnest(made_at) as at
    group by 1
  )
  insert into record_counts as kept (noun, period, slot, records)
  select of_noun, period, pg_backend_pid() % 8, sign * records
  from (
    select period, records from changes
    union all
    select timestamptz '-infinity', sum(records) from changes
  ) as every_row
  where records > 0
  order by period
  on conflict (noun, period, slot) do update set records = kept.records + excluded.records;
$$;

-- The argument is the column that says when a record was made.
create function count_records() returns trigger language plpgsql as $$
declare
  made_at timestamptz[];
begin
  execute format('select array_agg(%I) from changed', tg_argv[0]) into made_at;
  perform add_record_counts(tg_table_name, made_at, case tg_op when 'INSERT' then 1 else -1 end);
  return null;
end $$;

create trigger customers_inserted after insert on customers
  referencing new table as changed for each statement execute function count_records('created_at');
create trigger customers_deleted after delete on customers
  referencing old table as changed for each statement execute function count_records('created_at');
create trigger documents_inserted after insert on documents
  referencing new table as changed for each statement execute function count_records('uploaded_at');
create trigger documents_deleted after delete on documents
  referencing old table as changed for each statement execute function count_records('uploaded_at');
