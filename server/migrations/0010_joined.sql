-- When somebody first had a password of their own; null for those who never went beyond a temporary one.
alter table users add column joined_at timestamptz;
update users set joined_at = created_at
where password_expires_at is null
  or exists (
    select from activity
    where subject_type = 'user' and subject_id = users.id and action in ('password.changed', 'user.registered')
  );
