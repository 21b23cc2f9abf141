-- When whoever holds the session last proved who they are. The default is for servers of the version before,
-- which may still run while the first of the new ones starts.
alter table sessions add column confirmed_at timestamptz not null default now();
update sessions set confirmed_at = created_at;

-- Signed links name it; disabling somebody and resetting their password move it on, which kills all that are out.
alter table users add column link_generation integer not null default 0;
