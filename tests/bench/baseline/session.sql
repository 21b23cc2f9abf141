select users.id, users.name, users.email, users.phone_number, users.role, users.must_change_password,
  users.mfa_secret is not null as mfa_enabled
from sessions
join users on users.id = sessions.user_id
where sessions.token_hash = :token_hash
  and sessions.ended_at is null
  and sessions.expires_at > now()
  and sessions.last_seen_at > now() - interval '30 minutes'
  and users.disabled_at is null;
