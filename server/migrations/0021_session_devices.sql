-- Such as 'Firefox on Windows'; null for sessions from before, and for clients that do not say.
alter table sessions add column device text;

-- The hash of a cookie that browsers keep, so that one is known when it signs in again.
alter table sessions add column device_hash bytea;
