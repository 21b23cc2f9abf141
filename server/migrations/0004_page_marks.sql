-- Marks along the lists of customers and documents, so that a far page is reached without walking all
-- the records before it. `records` counts those up to and with the mark, from the mark before it on.
-- What is newer than the newest mark is the total less all that is marked: adding a record, which
-- makes it the newest, costs nothing here.
create table page_marks (
  noun text not null,
  made_at timestamptz not null,
  id bigint not null,
  records integer not null,
  primary key (noun, made_at, id)
);

-- Where to begin, newest first, to come to the record that has so many before it, and how many of them
-- are to be skipped from there. No row: at the very newest.
create function page_start(of_noun text, before bigint)
  returns table (made_at timestamptz, id bigint, skip bigint)
  language sql stable as $$
  with unmarked as materialized (
    select (select sum(records)::bigint from record_counts where noun = of_noun and period = '-infinity')
      - (select sum(records) from page_marks where noun = of_noun) as records
  ), marks as (
    select made_at, id, sum(records) over (order by made_at desc, id desc) - records as newer
    from page_marks
    where noun = of_noun
  )
  select marks.made_at, marks.id, before - unmarked.records - marks.newer
  from marks, unmarked
  where unmarked.records + marks.newer <= before
  order by marks.made_at, marks.id
  limit 1
$$;

-- Keeps the counts of the marks when records older than the newest mark come or go. The argument is the
-- column that says when a record was made.
create function keep_page_marks() returns trigger language plpgsql as $$
begin
  execute format($update$
    update page_marks as kept set records = kept.records + %1$s * changes.records
    from (
      select mark.made_at, mark.id, count(*) as records
      from changed
      cross join lateral (
        select made_at, id from page_marks
        where noun = %2$L and (made_at, id) >= (changed.%3$I, changed.id)
        order by made_at, id limit 1
      ) as mark
      where (changed.%3$I, changed.id) <= (
        select made_at, id from page_marks where noun = %2$L order by made_at desc, id desc limit 1)
      group by mark.made_at, mark.id
      order by mark.made_at, mark.id
    ) as changes
    where kept.noun = %2$L and kept.made_at = changes.made_at and kept.id = changes.id
  $update$, case tg_op when 'INSERT' then 1 else -1 end, tg_table_name, tg_argv[0]);
  return null;
end $$;

create trigger customers_inserted_between_marks after insert on customers
  referencing new table as changed for each statement execute function keep_page_marks('created_at');
create trigger customers_deleted_between_marks after delete on customers
  referencing old table as changed for each statement execute function keep_page_marks('created_at');
create trigger documents_inserted_between_marks after insert on documents
  referencing new table as changed for each statement execute function keep_page_marks('uploaded_at');
create trigger documents_deleted_between_marks after delete on documents
  referencing old table as changed for each statement execute function keep_page_marks('uploaded_at');

-- Adds at most so many marks, each so many records after the one before, and says how many it added.
-- Writers have to be kept out by the caller: a record that comes meanwhile would not be counted.
create function add_page_marks(of_noun text, made_column text, each_after integer, at_most integer)
  returns integer language plpgsql as $$
declare
  added integer;
begin
  execute format($insert$
    insert into page_marks (noun, made_at, id, records)
    select %1$L, made_at, id, %3$s
    from (
      select made_at, id, row_number() over (order by made_at, id) as place
      from (
        select %2$I as made_at, id from %1$I
        where (%2$I, id) > (
          select coalesce(max(made_at), '-infinity'), coalesce((array_agg(id order by made_at desc, id desc))[1], 0)
          from page_marks where noun = %1$L)
        order by %2$I, id
        limit %3$s::bigint * %4$s
      ) as unmarked
    ) as placed
    where place %% %3$s = 0
  $insert$, of_noun, made_column, each_after, at_most);
  get diagnostics added = row_count;
  return added;
end $$;

lock table customers, documents in share mode;
select add_page_marks('customers', 'created_at', 4000, 1000000);
select add_page_marks('documents', 'uploaded_at', 4000, 1000000);
