-- The application prepares the words of records, as it already does those of pages: one tokenizer (packages/words) cuts
-- records, pages and questions, so that whatever is found is also highlighted. This prepares the words of existing
-- records by the functions that are dropped below, so that searches find nearly all of them at once; the job
-- prepare-words then prepares them as the application does.

-- Weight A: the name and the email, which are also words of the customer's documents. A generated column, because
-- PostgreSQL then writes the table and its indexes once.
alter table customers add words tsvector not null generated always as (
  setweight(record_words(name || ' ' || coalesce(email, '')), 'A')
  || customer_words('', dob, null, phone_number, street_line, city, province, country)
) stored;
alter table customers alter words drop expression, alter words set default '';
drop index customers_words;
create index customers_words on customers using gin (words);

-- The name and the description.
alter table documents add words tsvector not null generated always as (
  record_words(filename || ' ' || coalesce(description, ''))
) stored;
alter table documents alter words drop expression, alter words set default '';

-- The words of a document, which include those of its customer: document_texts keeps them.
create function document_words(own tsvector, of_customer tsvector) returns tsvector
  language sql immutable parallel safe
  return own || ts_filter(of_customer, '{a}');

create or replace function expect_text() returns trigger language plpgsql as $$
begin
  insert into document_texts (document_id, uploaded_by, state, read_at, words)
  select added.id, coalesce(uploaded_by, 0), case when is_protected then 'protected' else 'waiting' end,
    case when is_protected then uploaded_at end, document_words(added.words, customers.words)
  from added join customers on customers.id = added.customer_id;
  return null;
end $$;

create or replace function keep_document_words() returns trigger language plpgsql as $$
begin
  update document_texts set words = document_words(new.words, customers.words)
  from customers where customers.id = new.customer_id and document_id = new.id;
  return null;
end $$;
drop trigger documents_renamed on documents;
create trigger documents_renamed after update of words, customer_id on documents
  for each row execute function keep_document_words();

create or replace function keep_words_of_documents() returns trigger language plpgsql as $$
begin
  update document_texts set words = document_words(documents.words, new.words)
  from documents where documents.customer_id = new.id and document_id = documents.id;
  return null;
end $$;
drop trigger customers_renamed on customers;
create trigger customers_renamed after update of words on customers
  for each row when (ts_filter(old.words, '{a}') is distinct from ts_filter(new.words, '{a}'))
  execute function keep_words_of_documents();

drop function document_words(text, text, text, text);
drop function customer_words(text, date, text, text, text, text, text, text);
drop function record_query(text, boolean);
drop function record_words(text);

-- Which version of the tokenizer prepares the words of what is there already, newest first.
create table prepared_words (
  kind text primary key check (kind in ('customers', 'documents', 'pages')),
  tokenizer smallint not null default 0,
  -- The id of a customer or document: it and those below are still to be prepared.
  next_id bigint not null default 0
);
insert into prepared_words (kind) values ('customers'), ('documents'), ('pages');
