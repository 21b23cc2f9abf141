-- How far the activity log has been sent to ACTIVITY_WEBHOOK: one row, or none before the first. The server signs it, so
-- that a moved mark is noticed. A mark of an older version is unsigned: the log is then sent again from its beginning,
-- with numbers that show the receiver that it is complete.
drop table activity_forwarding;
create table activity_forwarding (
  id integer primary key default 1 check (id = 1),
  -- Every row of the seals up to this one was sent.
  seal_id bigint not null,
  seal_hash bytea not null,
  -- The number of the last row that was sent: 1, 2, 3 and so on through the whole log, without gaps.
  number bigint not null,
  mac bytea not null
);
