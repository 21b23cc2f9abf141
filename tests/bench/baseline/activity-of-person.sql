select id, at, action, actor_id, actor_label, subject_type, subject_id, subject_label, customer_id, address, request_id,
  detail, changes
from activity
where actor_id = :person::bigint
order by at desc, id desc
limit 51;
