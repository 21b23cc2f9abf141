-- Nothing has the word, so the most similar one that exists is searched for.
select count(*) from (
  select from document_words where words @@ to_tsquery('simple', :words) limit 501
) as counted;

with meant as materialized (
  select to_tsquery('simple', word || ':*') as query from known_words
  where word % :q order by similarity(word, :q) desc limit 1
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
