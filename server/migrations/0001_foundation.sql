create extension if not exists pg_trgm with schema public;
create extension if not exists unaccent with schema public;

-- What searches compare: no case, no accents, one form for characters that look the same.
-- Declared immutable so that columns and indexes can be made of it; it is, as long as the
-- unaccent rules stay as they are.
create function search_text(value text) returns text
  language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFKC)));

-- A phone number is found by its digits however it was written, and by its letters ('ext. 4') too.
create function phone_search_text(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(value, '[^0-9]', '', 'g') || ' ' || search_text(value);

create table users (
  id bigint generated always as identity primary key,
  email text not null unique,
  name text not null,
  phone_number text,
  role text not null check (role in ('staff', 'admin')),
  password_hash text not null,
  -- Set for temporary passwords only.
  password_expires_at timestamptz,
  must_change_password boolean not null default false,
  mfa_secret bytea,
  mfa_pending_secret bytea,
  -- The newest time step whose code was used: no code at or before it works again.
  mfa_last_step bigint,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (email = lower(email))
);

create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null
);
create index sessions_user on sessions (user_id, created_at);

create table mfa_challenges (
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  used_at timestamptz
);
create index mfa_challenges_expiry on mfa_challenges (expires_at);

create table recovery_codes (
  user_id bigint not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table throttles (
  key text primary key,
  failures integer not null,
  last_failure_at timestamptz not null,
  blocked_until timestamptz not null
);
create index throttles_age on throttles (last_failure_at);

create table customers (
  id bigint generated always as identity primary key,
  name text not null,
  dob date,
  email text,
  phone_number text,
  street_line text,
  city text,
  province text,
  country text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_search text not null generated always as (search_text(name)) stored,
  email_search text generated always as (search_text(email)) stored,
  phone_search text generated always as (phone_search_text(phone_number)) stored,
  street_line_search text generated always as (search_text(street_line)) stored,
  city_search text generated always as (search_text(city)) stored,
  province_search text generated always as (search_text(province)) stored,
  country_search text generated always as (search_text(country)) stored
);
create index customers_newest on customers (created_at desc, id desc);
create index customers_by_name on customers (name_search, id);
create index customers_search on customers using gin (
  name_search gin_trgm_ops, email_search gin_trgm_ops, phone_search gin_trgm_ops,
  street_line_search gin_trgm_ops, city_search gin_trgm_ops, province_search gin_trgm_ops,
  country_search gin_trgm_ops
);

create table documents (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers,
  filename text not null,
  -- What makes two names of one customer the same; computed by the application.
  filename_key text collate "C" not null,
  description text,
  mime_type text not null,
  charset text,
  file_size integer not null check (file_size > 0),
  sha256 bytea not null,
  storage_key text not null unique,
  uploaded_at timestamptz not null,
  uploaded_by bigint references users,
  filename_search text not null generated always as (search_text(filename)) stored,
  unique (customer_id, filename_key)
);
create index documents_newest on documents (uploaded_at desc, id desc);
create index documents_of_customer on documents (customer_id, uploaded_at desc, id desc);
create index documents_search on documents using gin (filename_search gin_trgm_ops);

create table activity (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  -- Null when nobody is signed in or the command line acts; the label says who then.
  actor_id bigint references users,
  actor_label text not null,
  subject_type text not null,
  subject_id bigint,
  subject_label text,
  address text,
  request_id text,
  detail jsonb,
  -- Whether it belongs in the list of recent changes that every user sees.
  shown boolean not null
);
create index activity_shown on activity (id desc) where shown;
create index activity_backups on activity (at desc) where action = 'backup.completed';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the activity log only grows';
end $$;

create trigger activity_only_grows before update or delete on activity
  for each row execute function refuse_change();
create trigger activity_is_never_emptied before truncate on activity
  for each statement execute function refuse_change();
