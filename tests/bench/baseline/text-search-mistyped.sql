-- Nothing has the word, so the most similar one that exists is searched for.
select count(*) from (
  select from document_pages where words @@ to_tsquery('simple', :words) limit 501
) as counted;

with meant as materialized (
  select to_tsquery('simple', word || ':*') as query from known_words
  where word % :q order by similarity(word, :q) desc limit 1
)
select document_id, page, ts_headline('simple', content, query), filename, mime_type, name
from (
  select * from (
    select * from document_pages, meant where words @@ query order by document_id desc, page limit 501
  ) as newest
  join documents on documents.id = document_id
  order by ts_rank_cd(newest.words, query, 1) / (1 + extract(epoch from now() - uploaded_at) / 31536000) desc
  limit :limit
) as best
join customers on customers.id = customer_id;
