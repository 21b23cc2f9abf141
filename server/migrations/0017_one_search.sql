-- One search for customers, documents and their text. Its questions are words, which may stand in different fields.

-- The words of a record in their order, folded as in all searches. Each character of a script without spaces between
-- words counts as a word.
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

-- Words next to each other; the last one may be the beginning of a word. Null without any.
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
create index customers_words on customers using gin (
  customer_words(name, dob, email, phone_number, street_line, city, province, country)
);

-- The words of its name, its description and its customer.
alter table document_texts add words tsvector not null default '';

create function document_words(filename text, description text, customer_name text, customer_email text)
  returns tsvector
  language sql immutable parallel safe
  return record_words(
    filename || ' ' || coalesce(description, '') || ' ' || customer_name || ' ' || coalesce(customer_email, '')
  );

update document_texts set words = document_words(filename, description, name, email)
from documents join customers on customers.id = documents.customer_id
where documents.id = document_id;
create index document_texts_words on document_texts using gin (words);

create or replace function expect_text() returns trigger language plpgsql as $$
begin
  insert into document_texts (document_id, state, read_at, words)
  select added.id, case when is_protected then 'protected' else 'waiting' end,
    case when is_protected then uploaded_at end, document_words(filename, description, name, email)
  from added join customers on customers.id = added.customer_id;
  return null;
end $$;

create function keep_document_words() returns trigger language plpgsql as $$
begin
  update document_texts set words = document_words(new.filename, new.description, name, email)
  from customers where customers.id = new.customer_id and document_id = new.id;
  return null;
end $$;
create trigger documents_renamed after update of filename, description, customer_id on documents
  for each row execute function keep_document_words();

create function keep_words_of_documents() returns trigger language plpgsql as $$
begin
  update document_texts set words = document_words(filename, description, new.name, new.email)
  from documents where documents.customer_id = new.id and document_id = documents.id;
  return null;
end $$;
create trigger customers_renamed after update of name, email on customers
  for each row when (old.name is distinct from new.name or old.email is distinct from new.email)
  execute function keep_words_of_documents();

-- The planner chooses between the index of words and the newest first by how many pages have a word.
alter table document_pages alter words set statistics 1000;
alter table document_texts alter words set statistics 1000;

-- Words that exist, for those who mistype one. Without digits: numbers are not corrected.
create table known_words (word text collate "C" primary key);
create index known_words_similar on known_words using gin (word gin_trgm_ops);
insert into known_words
select distinct lexeme from document_pages, tsvector_to_array(words) as lexemes, unnest(lexemes) as lexeme
where lexeme ~ '^[^0-9]{3,30}$';

-- Up to where the words of records were collected.
create table collected_words (
  only_row boolean primary key default true check (only_row),
  customer_id bigint not null default 0,
  document_id bigint not null default 0
);
insert into collected_words default values;
