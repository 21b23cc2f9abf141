-- Every row of the activity log has a salt and a mac. Early versions wrote rows without, which version 0.9 sealed as it
-- found them: their mac is in the seal, over an empty salt. A row that no seal lists gets an empty mac: it was not
-- written by the server, and verification still reports it.
alter table activity disable trigger activity_only_grows;
with sealed as (
  select ('x' || encode(substr(entries, at, 8), 'hex'))::bit(64)::bigint as id, substr(entries, at + 8, 16) as mac
  from activity_seals, generate_series(1, octet_length(entries), 24) as at
  where exists (select from activity where mac is null)
), completed as (
  select activity.id, coalesce(activity.mac, sealed.mac, '') as mac,
    case when erased is null then coalesce(salt, '') else salt end as salt
  from activity left join sealed on sealed.id = activity.id
  where activity.mac is null or (salt is null and erased is null)
)
update activity set mac = completed.mac, salt = completed.salt from completed where completed.id = activity.id;
alter table activity
  enable trigger activity_only_grows,
  alter mac set not null,
  -- Erasing the values of a row erases its salt.
  add constraint activity_salted check (salt is not null or erased is not null);

-- Back to PostgreSQL's own factors: searches no longer depend on statistics that are fresher than usual.
alter table customers reset (autovacuum_analyze_scale_factor, autovacuum_vacuum_insert_scale_factor);
alter table documents reset (autovacuum_analyze_scale_factor, autovacuum_vacuum_insert_scale_factor);
