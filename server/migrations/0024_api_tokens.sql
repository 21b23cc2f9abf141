create table api_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  token_hash bytea not null unique,
  -- As in the session that made it: where a second factor is required, a token must not do without.
  has_second_factor boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_address text
);
create index api_tokens_user on api_tokens (user_id, created_at);
create index api_tokens_expiry on api_tokens (expires_at);
