-- Names the user to authenticators, which keep it and show it to whoever holds them: random, and the same for all
-- passkeys of a user. Passkeys from before have 'user:' and the id.
alter table users add column passkey_handle uuid not null default gen_random_uuid();

-- The customer that the upload named: the document may have been moved when the upload is sent again. Not a reference,
-- because that customer may be deleted. Null for documents from before, and without an upload id.
alter table documents add column upload_customer_id bigint;
