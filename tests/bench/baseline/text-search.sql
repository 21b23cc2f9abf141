-- The best of the newest 501 documents that have all words, each with its best page.
select best.document_id, page, ts_headline('simple', content, to_tsquery('simple', :any)), filename, mime_type, name
from (
  select * from (
    select document_id, words from document_words where words @@ to_tsquery('simple', :words)
    order by document_id desc limit 501
  ) as newest
  join documents on documents.id = document_id
  order by ts_rank_cd(newest.words, to_tsquery('simple', :words))
    / (1 + extract(epoch from now() - uploaded_at) / 31536000) desc
  limit :limit
) as best
join customers on customers.id = customer_id
cross join lateral (
  select page, content from document_pages
  where document_pages.document_id = best.document_id and document_pages.words @@ to_tsquery('simple', :any)
  order by ts_rank_cd(document_pages.words, to_tsquery('simple', :any)) desc limit 1
) as page;

-- How many there are.
select count(*) from (
  select from document_words where words @@ to_tsquery('simple', :words) limit 501
) as counted;
