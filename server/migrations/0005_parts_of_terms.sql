-- How common each three letters in a row are. ANALYZE keeps this up to date, and a search looks for the
-- rarest part of its term first: 'Invoice 2026-66970' is found by its number, and not by going through
-- all invoices and all of 2026.
create statistics customers_name_trigrams on (show_trgm(name_search)) from customers;
create statistics customers_email_trigrams on (show_trgm(email_search)) from customers;
create statistics customers_street_line_trigrams on (show_trgm(street_line_search)) from customers;
create statistics documents_filename_trigrams on (show_trgm(filename_search)) from documents;
alter statistics customers_name_trigrams set statistics 400;
alter statistics customers_email_trigrams set statistics 400;
alter statistics customers_street_line_trigrams set statistics 400;
alter statistics documents_filename_trigrams set statistics 400;

-- Names that begin with a term stand together in the order of names: this index has them all in a row,
-- in that order. It needs the order to be that of the characters, whatever the database's own is.
drop index customers_by_name;
create index customers_by_name on customers (name_search collate "C", id);

-- So the other index is for those that have the term further on: often few, where very many begin with it.
drop index customers_search_name;
create index customers_search_name on customers using gin (substr(name_search, 2) gin_trgm_ops);
alter index customers_search_name alter column 1 set statistics 400;

-- The single letters of a name are needed by their index alone, and need not be kept in each record.
alter table customers drop name_letters;
alter table documents drop filename_letters;
create index customers_search_name_letters on customers using gin (spread_letters(name_search) gin_trgm_ops);
create index documents_search_letters on documents using gin (spread_letters(filename_search) gin_trgm_ops);

-- The same as before in two thirds of the time.
create or replace function phone_text(value text) returns text
  language sql immutable parallel safe
  return case
    when value !~ '[^0-9 +()./-]' then translate(value, ' +()-./', '')
    else regexp_replace(value, '[^0-9]', '', 'g') || ' ' || search_text(value)
  end;

create function starting_pattern(term text) returns text
  language sql immutable parallel safe
  return regexp_replace(search_text(term), '([\\%_])', '\\\1', 'g') || '%';

analyze customers, documents;
