-- The same answer from one walk along the marks instead of two, and only as far as needed: so many records
-- are newer than a mark as there are in all, less those up to and with it, counted from the oldest.
create or replace function page_start(of_noun text, before bigint)
  returns table (made_at timestamptz, id bigint, skip bigint)
  language sql stable as $$
  with total as materialized (
    select sum(records)::bigint as records from record_counts where noun = of_noun and period = '-infinity'
  ), marks as (
    select made_at, id, sum(records) over (order by made_at, id rows unbounded preceding) as not_newer
    from page_marks
    where noun = of_noun
  )
  select marks.made_at, marks.id, before - (total.records - marks.not_newer)
  from marks, total
  where total.records - marks.not_newer <= before
  order by marks.made_at, marks.id
  limit 1
$$;
