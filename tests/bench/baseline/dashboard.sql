select noun,
  sum(records) filter (where period = '-infinity') as total,
  sum(records) filter (where period >= now() - interval '30 days') as added,
  sum(records) filter (where period >= date_trunc('month', now())) as this_month
from record_counts
where period = '-infinity' or period >= now() - interval '31 days'
group by noun;

select count(*) as active_users
from users
where last_seen_at > now() - interval '30 days' and disabled_at is null;

select distinct on (action) action, at, detail
from activity
where action in ('backup.completed', 'backup.failed', 'check.completed', 'check.failed')
order by action, at desc;

select id, at, action, actor_label, subject_type, subject_id, subject_label
from activity
where shown
order by id desc
limit 10;
