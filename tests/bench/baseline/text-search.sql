-- The best of the newest 501 pages that have all words, and how many of these there are.
select document_id, page, ts_headline('simple', content, to_tsquery('simple', :words)), filename, mime_type, name
from (
  select * from (
    select * from document_pages where words @@ to_tsquery('simple', :words)
    order by document_id desc, page limit 501
  ) as newest
  join documents on documents.id = document_id
  order by ts_rank_cd(newest.words, to_tsquery('simple', :words), 1)
    / (1 + extract(epoch from now() - uploaded_at) / 31536000) desc
  limit :limit
) as best
join customers on customers.id = customer_id;

select count(*) from (
  select from document_pages where words @@ to_tsquery('simple', :words) limit 501
) as counted;
