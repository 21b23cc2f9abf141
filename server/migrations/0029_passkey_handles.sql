-- Names the user to authenticators, which keep it and show it to whoever holds them: random, and the same for all
-- passkeys of a user. Passkeys from before have 'user:' and the id.
alter table users add column passkey_handle uuid not null default gen_random_uuid();
