-- How far the rows of the activity log have been sent to ACTIVITY_WEBHOOK: one row, or none before the first.
create table activity_forwarding (
  id integer primary key default 1 check (id = 1),
  through_id bigint not null
);
