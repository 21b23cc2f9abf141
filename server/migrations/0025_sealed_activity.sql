-- What is told of a row's values by a salted hash: they can be erased later, and the rest still proves itself.
alter table activity add column salt bytea;
-- By the server, with a key that is not in the database. Null for rows from before.
alter table activity add column mac bytea;
-- In place of the values of a row that was erased.
alter table activity add column erased bytea;

create table activity_seals (
  -- 1, 2, 3 and so on, without gaps.
  id bigint primary key,
  kind text not null check (kind in ('opening', 'rows', 'removal')),
  sealed_at timestamptz not null,
  -- Rows up to this id are sealed.
  through_id bigint not null,
  -- How many rows it seals, or how many were removed.
  row_count bigint not null,
  -- The id and the mac of each row.
  entries bytea,
  -- Of a removal: the newest seal that went, the newest row, and how many rows went in all.
  removed jsonb,
  hash bytea not null
);

create or replace function guard_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('customer_database.removes_activity', true) = 'on' then
    return old;
  end if;
  -- Values may be erased, and nothing else changes with them.
  if tg_op = 'UPDATE' and old.erased is null and new.erased is not null
    and new.salt is null and new.subject_label is null and new.detail is null and new.changes is null
    and (new.id, new.at, new.action, new.actor_label, new.subject_type, new.shown, new.mac)
      is not distinct from (old.id, old.at, old.action, old.actor_label, old.subject_type, old.shown, old.mac)
    and (new.actor_id, new.subject_id, new.address, new.request_id, new.customer_id)
      is not distinct from (old.actor_id, old.subject_id, old.address, old.request_id, old.customer_id)
  then
    return new;
  end if;
  raise exception 'the activity log only grows';
end $$;

drop trigger activity_only_grows on activity;
create trigger activity_only_grows before update or delete on activity
  for each row execute function guard_activity();
