-- Refusals that are counted instead of written, because a row about the same person, action and network is less
-- than a minute old. The next row says how many they were, or the one that the hourly clean-up writes.
create table counted_refusals (
  key text primary key,
  action text not null,
  actor_id bigint references users,
  actor_label text not null,
  subject_type text not null,
  address text,
  more integer not null default 0,
  next_row_at timestamptz not null
);
create index counted_refusals_due on counted_refusals (next_row_at);
