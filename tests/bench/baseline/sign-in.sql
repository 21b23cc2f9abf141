select id, name, email, role, password_hash
from users
where email = :email;

insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, address)
select :token_hash::bytea, id, now(), now(), now() + interval '12 hours', '127.0.0.1'
from users
where email = :email;

insert into activity (at, action, actor_id, actor_label, subject_type, subject_id, subject_label, address, request_id, shown, salt, mac)
select now(), 'sign_in.succeeded', id, name, 'user', id, email, '127.0.0.1', :request_id::text, false, :salt::bytea, :mac::bytea
from users
where email = :email;
