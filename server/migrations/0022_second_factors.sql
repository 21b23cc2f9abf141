-- Whether more than the password was proved in the session.
alter table sessions add column has_second_factor boolean not null default false;
update sessions set has_second_factor = true
from users where users.id = sessions.user_id and users.mfa_secret is not null;

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- Challenges of passkeys that have signed somebody in, until they expire: none works twice.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);
