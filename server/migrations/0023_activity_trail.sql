-- The customer that a row is about: the customer itself, or that of the document at the time. No foreign key, because
-- customers can be deleted.
alter table activity add column customer_id bigint;
-- Old and new values: {"city": {"from": "Bonn", "to": "Berlin"}}.
alter table activity add column changes jsonb;

alter table activity disable trigger activity_only_grows;
with owners as (
  select id as document_id, customer_id from documents
  union all
  select subject_id, (detail ->> 'customer_id')::bigint from activity where action = 'document.deleted'
), found as (
  select activity.id, coalesce(
    case when subject_type = 'customer' then subject_id end,
    (detail ->> 'customer_id')::bigint,
    (detail ->> 'to_customer')::bigint,
    owners.customer_id
  ) as customer_id
  from activity left join owners on subject_type = 'document' and document_id = subject_id
  where subject_type in ('customer', 'document')
)
update activity set customer_id = found.customer_id
from found where found.id = activity.id and found.customer_id is not null;
alter table activity enable trigger activity_only_grows;

-- One for each filter of the log; every list is newest first.
create index activity_newest on activity (at desc, id desc);
create index activity_by_action on activity (action, at desc, id desc);
create index activity_of_person on activity (actor_id, at desc, id desc) where actor_id is not null;
create index activity_of_person_by_action on activity (actor_id, action, at desc, id desc) where actor_id is not null;
create index activity_of_customer on activity (customer_id, at desc, id desc) where customer_id is not null;
create index activity_of_document on activity (subject_id, at desc, id desc) where subject_type = 'document';
-- activity_by_action answers the same questions.
drop index activity_upkeep;
