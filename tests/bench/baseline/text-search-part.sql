-- Documents with a word that contains the one that is asked for, the newest first, each with a page.
with meant as materialized (
  select string_agg(word, '|')::tsquery as query from known_words where word like '%' || :q || '%'
)
select newest.document_id, page, ts_headline('simple', content, query), filename, mime_type, name
from meant
cross join lateral (
  select document_id from document_words where words @@ query order by document_id desc limit :limit
) as newest
join documents on documents.id = document_id
join customers on customers.id = customer_id
cross join lateral (
  select page, content from document_pages
  where document_pages.document_id = newest.document_id and words @@ query limit 1
) as page;

-- How many there are.
select count(*) from (
  select from document_words
  where words @@ (select string_agg(word, '|')::tsquery from known_words where word like '%' || :q || '%') limit 501
) as counted;
