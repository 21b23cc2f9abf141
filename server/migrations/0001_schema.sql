-- The schema of version 0.9, on which version 1.0 begins: accounts, customers, documents, the text of documents, words,
-- totals and the activity log. The later files change it, one for each change. The tables of the job queue are in the
-- schema pgboss, which pg-boss makes and upgrades.

create extension if not exists pg_trgm with schema public;
create extension if not exists unaccent with schema public;

-- ---------------------------------------------------------------------------------------------------------------------
-- Prepared text: what searches and filters compare
-- ---------------------------------------------------------------------------------------------------------------------

-- PostgreSQL does not declare unaccent immutable, because its rules can be replaced. Generated columns and indexes need
-- an immutable function: they have to be made again when the rules change. PL/pgSQL, because a call of it is faster.
create function without_accents(value text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  return public.unaccent('public.unaccent'::regdictionary, value);
end $$;

-- Text without case and accents, with one form for characters that look the same. Every saved customer calls this eight
-- times: plain ASCII, which most text is, takes the shortest way.
create function search_text(value text) returns text
  language sql immutable parallel safe
  return lower(case
    when octet_length(value) = length(value) then value
    when value is nfkc normalized then without_accents(value)
    else without_accents(normalize(value, NFKC))
  end);

-- A phone number as its digits, so that its punctuation does not matter; with its text behind them if it has letters,
-- such as 'ext. 4'.
create function phone_text(value text) returns text
  language sql immutable parallel safe
  return case
    when value !~ '[^0-9 +()./-]' then translate(value, ' +()-./', '')
    else regexp_replace(value, '[^0-9]', '', 'g') || ' ' || search_text(value)
  end;

-- The LIKE pattern of a filter: the term anywhere in the text, with wildcards as plain characters.
create function search_pattern(term text) returns text
  language sql immutable parallel safe
  return '%' || regexp_replace(search_text(term), '([\\%_])', '\\\1', 'g') || '%';

-- The words of a record in their order. Each character of a script without spaces between words is a word.
create function record_words(value text) returns tsvector
  language sql immutable parallel safe
  return (
    select coalesce(string_agg(quote_literal(left(word, 60)) || ':' || least(place, 16383), ' '), '')::tsvector
    from regexp_split_to_table(
      regexp_replace(
        search_text(value),
        '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])',
        ' \1 ', 'g'
      ),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u05be\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u2190-\u2bff\u3000-\u303f\ufe30-\ufe4f]+'
    ) with ordinality as parts (word, place)
    where word <> ''
  );

-- The query for words next to each other, of which the last may be the beginning of a word. Null for a value without
-- words.
create function record_query(value text, is_beginning boolean) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg(
      quote_literal(lexeme) || case when is_beginning and place = last_place then ':*' else '' end, '<->' order by place
    )::tsquery
    from (
      select lexeme, place, max(place) over () as last_place
      from unnest(record_words(value)) as words (lexeme, positions, weights), unnest(positions) as place
    ) as placed
  );

-- The words of a customer. The index customers_words and the searches both call it.
create function customer_words(
  name text, dob date, email text, phone_number text, street_line text, city text, province text, country text
) returns tsvector
  language sql immutable parallel safe
  return record_words(
    name || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, '') || ' ' || coalesce(street_line, '') || ' '
    || coalesce(city, '') || ' ' || coalesce(province, '') || ' ' || coalesce(country, '') || ' '
    || coalesce(extract(year from dob) || '-' || lpad(extract(month from dob)::text, 2, '0') || '-'
      || lpad(extract(day from dob)::text, 2, '0'), '')
  );

-- The words of a document, which include those of its customer: document_texts keeps them.
create function document_words(filename text, description text, customer_name text, customer_email text)
  returns tsvector
  language sql immutable parallel safe
  return record_words(
    filename || ' ' || coalesce(description, '') || ' ' || customer_name || ' ' || coalesce(customer_email, '')
  );

-- ---------------------------------------------------------------------------------------------------------------------
-- Accounts
-- ---------------------------------------------------------------------------------------------------------------------

create table users (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  -- The user chose the address on the profile: there is no proof that it is theirs.
  chose_email boolean not null default false,
  name text not null,
  phone_number text,
  role text not null check (role in ('staff', 'admin')),
  password_hash text not null,
  -- Set for temporary passwords only.
  password_expires_at timestamptz,
  must_change_password boolean not null default false,
  -- Where PASSWORD_SIGN_IN is off: until then the operator lets this user sign in with the password.
  password_allowed_until timestamptz,
  -- Encrypted with the secret key. The pending seed becomes the seed with its first right code.
  mfa_secret bytea,
  mfa_pending_secret bytea,
  -- The newest time step whose code was used: that code and older ones are refused.
  mfa_last_step bigint,
  -- Names the user to authenticators, which show it to any person who holds them: random, and the same for all passkeys
  -- of the user.
  passkey_handle uuid not null default gen_random_uuid(),
  -- The user at the OIDC provider. The first sign-in there sets both.
  company_issuer text,
  company_subject text,
  -- Signed links name it. A higher number makes all links that the user has invalid.
  link_generation integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the user first chose a password; null while the invitation is open.
  joined_at timestamptz,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  last_seen_at timestamptz,
  constraint users_company_identity unique (company_issuer, company_subject)
);

create table recovery_codes (
  user_id bigint not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

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

create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users,
  created_at timestamptz not null,
  -- When the user last proved who they are: some changes need a recently confirmed session.
  confirmed_at timestamptz not null default now(),
  -- Whether the user proved more than the password.
  has_second_factor boolean not null default false,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  -- Such as 'Firefox on Windows'; null for clients that do not say.
  device text,
  -- The hash of a cookie that browsers keep, by which a sign-in recognises a known device.
  device_hash bytea
);
create index sessions_user on sessions (user_id, created_at);

-- Sign-ins between the password and the MFA code.
create table mfa_challenges (
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  used_at timestamptz
);
create index mfa_challenges_expiry on mfa_challenges (expires_at);

-- Challenges of passkey sign-ins, until they expire: each works once.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);

-- Failed attempts by account and by address.
create table throttles (
  key text primary key,
  failures integer not null,
  last_failure_at timestamptz not null,
  blocked_until timestamptz not null
);
create index throttles_age on throttles (last_failure_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Customers
-- ---------------------------------------------------------------------------------------------------------------------

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
  -- Stored, because a search compares the text of every match that the index gives.
  name_search text not null generated always as (search_text(name)) stored,
  email_search text generated always as (search_text(email)) stored,
  phone_search text generated always as (phone_text(phone_number)) stored,
  street_line_search text generated always as (search_text(street_line)) stored,
  city_search text generated always as (search_text(city)) stored,
  province_search text generated always as (search_text(province)) stored,
  country_search text generated always as (search_text(country)) stored
);
create index customers_newest on customers (created_at desc, id desc);
-- In the order of the characters, whatever that of the database is: names that begin with a term are neighbours.
create index customers_by_name on customers (name_search collate "C", id);
-- Finds another customer with the same email. The trigram index takes up to 200 ms for it among a million.
create index customers_by_email on customers (email_search collate "C");
-- One trigram index for each filter: a search reads only those of its fields.
create index customers_search_name on customers using gin (name_search gin_trgm_ops);
create index customers_search_email on customers using gin (email_search gin_trgm_ops);
create index customers_search_phone on customers using gin (phone_search gin_trgm_ops);
create index customers_search_street_line on customers using gin (street_line_search gin_trgm_ops);
create index customers_search_city on customers using gin (city_search gin_trgm_ops);
create index customers_search_province on customers using gin (province_search gin_trgm_ops);
create index customers_search_country on customers using gin (country_search gin_trgm_ops);
-- For the search over everything.
create index customers_words on customers using gin (
  customer_words(name, dob, email, phone_number, street_line, city, province, country)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Documents
-- ---------------------------------------------------------------------------------------------------------------------

create table documents (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers,
  filename text not null,
  -- Equal for names that are the same to people; computed by the application.
  filename_key text collate "C" not null,
  description text,
  mime_type text not null,
  charset text,
  -- Whether Word asks for a password before it shows the document.
  is_protected boolean not null default false,
  file_size integer not null check (file_size > 0),
  -- SHA-256 identifies the bytes. Downloads are verified by CRC-32, which costs next to nothing. It is null in documents
  -- of early versions that no check of all documents has read since: SHA-256 verifies those.
  sha256 bytea not null,
  crc32 bigint,
  storage_key text not null unique,
  uploaded_at timestamptz not null,
  uploaded_by bigint references users,
  -- Chosen by the client, so that an upload whose answer was lost can be sent again and is saved once.
  upload_id uuid,
  -- The customer that the upload named: the document may be with another one when the upload is sent again. No
  -- reference, because that customer may be deleted.
  upload_customer_id bigint,
  filename_search text not null generated always as (search_text(filename)) stored,
  unique (customer_id, filename_key)
);
create index documents_newest on documents (uploaded_at desc, id desc);
create index documents_of_customer on documents (customer_id, uploaded_at desc, id desc);
create index documents_search on documents using gin (filename_search gin_trgm_ops);
create unique index documents_uploads on documents (uploaded_by, upload_id) where upload_id is not null;

-- Files that are made from a document, such as its thumbnail. They can be made again: backups leave them out.
create table document_files (
  document_id bigint not null references documents on delete cascade,
  kind text not null check (kind in ('thumbnail')),
  -- Null if it is not made yet or cannot be made.
  storage_key text unique,
  file_size integer,
  -- Null if it is to be made.
  made_at timestamptz,
  -- As in document_texts.
  claimed_until timestamptz,
  attempts smallint not null default 0,
  primary key (document_id, kind)
);
create index document_files_to_make on document_files (document_id) where made_at is null;

-- ---------------------------------------------------------------------------------------------------------------------
-- The text of documents
-- ---------------------------------------------------------------------------------------------------------------------

-- The state of the text of each document, which is read from its file in the background and can be read again.
create table document_texts (
  document_id bigint primary key references documents on delete cascade,
  -- As in documents, or 0: the people who uploaded documents take turns.
  uploaded_by bigint not null default 0,
  -- waiting: not read yet, or only its pictures are left; none: there is no text in it.
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'none', 'protected', 'failed')),
  -- Why it could not be read.
  reason text,
  page_count integer,
  -- ISO 639-3.
  language text,
  -- Pages that are pictures and wait for OCR.
  pictures_left integer not null default 0,
  -- The lease of the server that reads it. When it has run out, that server was killed.
  claimed_until timestamptz,
  -- Readings that began and did not end: perhaps the document killed the server.
  attempts smallint not null default 0,
  -- Null until the file was read; its pictures may come later.
  read_at timestamptz,
  -- The words of the name, the description and the customer. Three triggers keep them.
  words tsvector not null default ''
);
create index document_texts_unread on document_texts (uploaded_by, document_id) where read_at is null;
create index document_texts_pictures on document_texts (uploaded_by, document_id) where pictures_left > 0;
create index document_texts_words on document_texts using gin (words);
-- By the number of pages with a word, the planner chooses between the index of words and the newest documents first.
alter table document_texts alter words set statistics 1000;

create table document_pages (
  document_id bigint not null references document_texts on delete cascade,
  page integer not null,
  content text not null,
  -- The words of the content. The application prepares them, without the dictionaries of PostgreSQL.
  words tsvector not null,
  -- A picture that waits for OCR.
  is_picture boolean not null default false,
  -- The words of a page that OCR has read, so that they can be highlighted: word, left, top, width and height, in
  -- ten-thousandths of the page.
  boxes jsonb,
  primary key (document_id, page)
);
create index document_pages_words on document_pages using gin (words);
create index document_pages_pictures on document_pages (document_id, page) where is_picture;
alter table document_pages alter words set statistics 1000;

-- When the documents of a person are next in turn: later by the time that reading their last ones took.
create table reading_turns (
  kind text not null check (kind in ('text', 'pictures')),
  uploaded_by bigint not null,
  due_at timestamptz not null,
  primary key (kind, uploaded_by)
);

-- Adds the row of document_texts for each new document.
create function expect_text() returns trigger language plpgsql as $$
begin
  insert into document_texts (document_id, uploaded_by, state, read_at, words)
  select added.id, coalesce(uploaded_by, 0), case when is_protected then 'protected' else 'waiting' end,
    case when is_protected then uploaded_at end, document_words(filename, description, name, email)
  from added join customers on customers.id = added.customer_id;
  return null;
end $$;
create trigger documents_inserted_without_text after insert on documents
  referencing new table as added for each statement execute function expect_text();

-- Keeps the words of a document that is renamed, described or moved.
create function keep_document_words() returns trigger language plpgsql as $$
begin
  update document_texts set words = document_words(new.filename, new.description, name, email)
  from customers where customers.id = new.customer_id and document_id = new.id;
  return null;
end $$;
create trigger documents_renamed after update of filename, description, customer_id on documents
  for each row execute function keep_document_words();

-- Keeps the words of all documents of a customer whose name or email changes.
create function keep_words_of_documents() returns trigger language plpgsql as $$
begin
  update document_texts set words = document_words(filename, description, new.name, new.email)
  from documents where documents.customer_id = new.id and document_id = documents.id;
  return null;
end $$;
create trigger customers_renamed after update of name, email on customers
  for each row when (old.name is distinct from new.name or old.email is distinct from new.email)
  execute function keep_words_of_documents();

-- ---------------------------------------------------------------------------------------------------------------------
-- Words: corrections of typing errors
-- ---------------------------------------------------------------------------------------------------------------------

-- Words of 3 to 30 characters that occur in records or documents, without those that have digits: numbers are not
-- corrected.
create table known_words (word text collate "C" primary key);
create index known_words_similar on known_words using gin (word gin_trgm_ops);

-- The newest records whose words are in known_words.
create table collected_words (
  only_row boolean primary key default true check (only_row),
  customer_id bigint not null default 0,
  document_id bigint not null default 0
);
insert into collected_words default values;

-- ---------------------------------------------------------------------------------------------------------------------
-- Totals
-- ---------------------------------------------------------------------------------------------------------------------

-- Totals are kept: counting a large table for each list and each view of the dashboard would cost more with every
-- record. A noun has a total (period -infinity) and a row for each quarter of an hour in which records were made, so that
-- 'this month' is exact in every time zone. Slots keep writers that run at once from waiting for the same row.
create table record_counts (
  noun text not null,
  period timestamptz not null,
  slot smallint not null,
  records bigint not null,
  primary key (noun, period, slot)
);

-- Adds records that were made at these times to the totals, or takes them away where the sign is -1.
create function add_record_counts(of_noun text, made_at timestamptz[], sign integer) returns void
  language sql as $$
  with changes as (
    select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') as period, count(*) as records
    from unnest(made_at) as at
    group by 1
  )
  insert into record_counts as kept (noun, period, slot, records)
  select of_noun, period, pg_backend_pid() % 8, sign * records
  from (
    select period, records from changes
    union all
    select timestamptz '-infinity', sum(records) from changes
  ) as every_row
  where records > 0
  order by period
  on conflict (noun, period, slot) do update set records = kept.records + excluded.records;
$$;

-- Keeps the totals of a table. The argument is the column that says when a record was made.
create function count_records() returns trigger language plpgsql as $$
declare
  made_at timestamptz[];
begin
  execute format('select array_agg(%I) from changed', tg_argv[0]) into made_at;
  perform add_record_counts(tg_table_name, made_at, case tg_op when 'INSERT' then 1 else -1 end);
  return null;
end $$;

create trigger customers_inserted after insert on customers
  referencing new table as changed for each statement execute function count_records('created_at');
create trigger customers_deleted after delete on customers
  referencing old table as changed for each statement execute function count_records('created_at');
create trigger documents_inserted after insert on documents
  referencing new table as changed for each statement execute function count_records('uploaded_at');
create trigger documents_deleted after delete on documents
  referencing old table as changed for each statement execute function count_records('uploaded_at');

-- ---------------------------------------------------------------------------------------------------------------------
-- Activity log
-- ---------------------------------------------------------------------------------------------------------------------

create table activity (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  -- Null without a signed-in user; the label then says who acted, such as the command line.
  actor_id bigint references users,
  actor_label text not null,
  subject_type text not null,
  subject_id bigint,
  subject_label text,
  -- The customer itself, or that of the document at the time. No reference, because customers can be deleted.
  customer_id bigint,
  address text,
  request_id text,
  detail jsonb,
  -- Old and new values: {"city": {"from": "Bonn", "to": "Berlin"}}.
  changes jsonb,
  -- Whether it is in the list of recent changes that all users see.
  shown boolean not null,
  -- The server signs each row with a key that is not in the database. The mac covers subject_label, detail and changes
  -- by a salted hash: these can be erased, and the rest of the row still proves itself.
  salt bytea,
  mac bytea,
  -- In place of the values of a row that was erased: their hash, and a mac that shows that the server erased them.
  erased bytea
);
-- One index for each filter of the log; every list is newest first.
create index activity_newest on activity (at desc, id desc);
create index activity_shown on activity (id desc) where shown;
create index activity_by_action on activity (action, at desc, id desc);
create index activity_of_person on activity (actor_id, at desc, id desc) where actor_id is not null;
create index activity_of_person_by_action on activity (actor_id, action, at desc, id desc) where actor_id is not null;
create index activity_of_customer on activity (customer_id, at desc, id desc) where customer_id is not null;
create index activity_of_document on activity (subject_id, at desc, id desc) where subject_type = 'document';

-- Lets rows be added, removed by retention, and erased; refuses every other change.
create function guard_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('customer_database.removes_activity', true) = 'on' then
    return old;
  end if;
  -- Values may be erased, and nothing else changes with them.
  if tg_op = 'UPDATE' and old.erased is null and new.erased is not null
    and new.salt is null and new.subject_label is null and new.detail is null and new.changes is null
    and (new.id, new.at, new.action, new.actor_label, new.subject_type, new.shown, new.mac)
      is not distinct from (old.id, old.at, old.action, old.actor_label, old.subject_type, old.shown, old.mac)
    and (new.actor_id, new.subject_id, new.address, new.request_id, new.customer_id)
      is not distinct from (old.actor_id, old.subject_id, old.address, old.request_id, old.customer_id)
  then
    return new;
  end if;
  raise exception 'the activity log only grows';
end $$;
create trigger activity_only_grows before update or delete on activity
  for each row execute function guard_activity();

-- Refuses to empty the log.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the activity log only grows';
end $$;
create trigger activity_is_never_emptied before truncate on activity
  for each statement execute function refuse_change();

-- The chain of seals: each lists rows of the log and refers to the seal before it.
create table activity_seals (
  -- 1, 2, 3 and so on, without gaps.
  id bigint primary key,
  kind text not null check (kind in ('opening', 'rows', 'removal')),
  sealed_at timestamptz not null,
  -- Rows up to this id are sealed.
  through_id bigint not null,
  -- How many rows it seals, or how many were removed.
  row_count bigint not null,
  -- The id (8 bytes) and the mac (16 bytes) of each row.
  entries bytea,
  -- Of a removal: the newest seal and the newest row that were removed, and the number of rows removed so far.
  removed jsonb,
  hash bytea not null
);

-- How far the activity log has been sent to ACTIVITY_WEBHOOK: one row, or none before the first. The server signs it:
-- without a valid mac it sends the whole log again.
create table activity_forwarding (
  id integer primary key default 1 check (id = 1),
  -- Every row of the seals up to this one was sent.
  seal_id bigint not null,
  seal_hash bytea not null,
  -- The number of the last row that was sent: 1, 2, 3 and so on through the whole log, without gaps.
  number bigint not null,
  mac bytea not null
);

-- Refusals that are counted instead of written, because a row about the same person, action and network is less than a
-- minute old. The next row says how many there were, or the one that the hourly clean-up writes.
create table counted_refusals (
  key text primary key,
  action text not null,
  actor_id bigint references users,
  actor_label text not null,
  subject_type text not null,
  address text,
  more integer not null default 0,
  next_row_at timestamptz not null
);
create index counted_refusals_due on counted_refusals (next_row_at);
